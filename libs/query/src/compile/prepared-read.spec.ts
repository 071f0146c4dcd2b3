import { describe, expect, it } from '@jest/globals';
import { Rejection } from '@practice/core';
import type { Problem } from '@practice/core';
import fc from 'fast-check';
import { parseRequest } from '../parse/request.js';
import type { ParsedRequest } from '../parse/request.js';
import { planRead } from '../plan/read.js';
import { queryStrings } from '../testing/query-strings.js';
import { otherPractice, practice, requestOf, sampleContext } from '../testing/sample.js';
import { PreparedRead } from './prepared-read.js';
import type { CompiledRead } from './prepared-read.js';
import { compileRead } from './read.js';

const contexts = [practice, otherPractice, practice].map((therapistId) => ({
  ...sampleContext,
  therapistId,
}));

/** The result of a call, or the problem that it rejects with. */
function outcome<T>(call: () => T): T | Problem {
  try {
    return call();
  } catch (error) {
    if (error instanceof Rejection) return error.problem;
    throw error;
  }
}

const isParsed = (request: ParsedRequest | Problem): request is ParsedRequest => 'options' in request;

describe('a prepared read', () => {
  it('gives each practice what a plan of its own would give', () => {
    let compiled = 0;
    fc.assert(
      fc.property(queryStrings, fc.constantFrom('', `&therapist_id=eq.${practice}`), (query, own) => {
        const request = outcome(() => parseRequest(requestOf(query + own)));
        if (!isParsed(request)) return;
        const prepared = new PreparedRead(request);
        for (const context of contexts) {
          const expected = outcome((): CompiledRead => {
            const plan = planRead(request, context);
            return { plan, query: compileRead(plan, context.therapistId) };
          });
          expect(outcome(() => prepared.for(context))).toEqual(expected);
          compiled += 1;
        }
      }),
      { numRuns: 500 },
    );
    expect(compiled).toBeGreaterThan(100);
  });

  it('is planned once for all practices', () => {
    const prepared = new PreparedRead(parseRequest(requestOf('day=eq.2030-01-07')));
    const [first, second] = contexts.map((context) => prepared.for(context));
    expect(second?.plan).toBe(first?.plan);
    expect(second?.query.text).toBe(first?.query.text);
    expect(second?.query.values[0]).toBe(otherPractice);
  });

  it('lets no practice read by the name of another', () => {
    const prepared = new PreparedRead(parseRequest(requestOf(`therapist_id=eq.${practice}`)));
    expect(prepared.for({ ...sampleContext, therapistId: practice }).plan.where).toEqual([]);
    expect(() => prepared.for({ ...sampleContext, therapistId: otherPractice })).toThrow('42501');
  });
});
