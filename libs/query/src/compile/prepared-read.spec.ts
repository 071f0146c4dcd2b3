import { describe, expect, it } from '@jest/globals';
import { outcomeOf, type Problem } from '@practice/core';
import fc from 'fast-check';
import { parseRequest, type ParsedRequest } from '../parse/request.js';
import { planRead } from '../plan/read.js';
import { readResponse } from '../response/read.js';
import { MARK, queryStrings } from '../testing/query-strings.js';
import { otherPractice, practice, requestOf, sampleContext } from '../testing/sample.js';
import { readFromWire, readToWire } from '../wire/wire.js';
import { PreparedRead, type CompiledRead } from './prepared-read.js';
import { compileRead } from './read.js';

const contexts = [practice, otherPractice, practice].map((therapistId) => ({
  ...sampleContext,
  therapistId,
}));

const isParsed = (request: ParsedRequest | Problem): request is ParsedRequest => 'options' in request;

/** The statements, and what the handler reads of the plan. Conditions are left out: they have no values in the plan of a shape. */
function asSent({ plan, query, attempt }: CompiledRead) {
  const { resource, timezone, mayBeOld, isCounted, isVersioned } = plan;
  const response = readResponse(plan, { body: '[]', page: 1, total: isCounted ? 3 : null });
  return { query, attempt, resource, timezone, mayBeOld, isVersioned, response };
}

describe('a prepared read', () => {
  it('gives each practice the same result as a plan made for that practice', () => {
    let compiled = 0;
    fc.assert(
      fc.property(queryStrings, fc.constantFrom('', `&therapist_id=eq.${practice}`), (query, own) => {
        const request = outcomeOf(() => parseRequest(requestOf(query + own)));
        if (!isParsed(request)) return;
        const prepared = new PreparedRead(request);
        for (const context of contexts) {
          const expected = outcomeOf((): CompiledRead => {
            const plan = planRead(request, context);
            return { plan, query: compileRead(plan, context.therapistId) };
          });
          expect(outcomeOf(() => prepared.for(context))).toEqual(expected);
          compiled += 1;
        }
      }),
      { numRuns: 500 },
    );
    expect(compiled).toBeGreaterThan(100);
  });

  it('gives each request of a shape the same result as a plan made for that request', () => {
    const isShaped = { compiled: 0, reused: 0 };
    fc.assert(
      fc.property(queryStrings, fc.constantFrom('', `&therapist_id=eq.${practice}`), (query, own) => {
        const requests = [MARK, 'x', 'y z', 'e%CC%88'].map((value) =>
          outcomeOf(() => parseRequest(requestOf(query.replaceAll(MARK, value) + own))),
        );
        const shapes = new Map<string, PreparedRead>();
        for (const request of requests) {
          if (!isParsed(request)) continue;
          const { shape, given } = readFromWire(readToWire(request));
          const prepared = shapes.get(shape) ?? new PreparedRead(JSON.parse(shape) as ParsedRequest);
          isShaped.reused += shapes.has(shape) ? 1 : 0;
          shapes.set(shape, prepared);
          for (const context of contexts) {
            const expected = outcomeOf(() => asSent(new PreparedRead(request).for(context)));
            expect(outcomeOf(() => asSent(prepared.for(context, given)))).toEqual(expected);
            isShaped.compiled += 1;
          }
        }
      }),
      { numRuns: 500 },
    );
    expect(isShaped.compiled).toBeGreaterThan(300);
    expect(isShaped.reused).toBeGreaterThan(50);
  });

  it('has one shape for all values of a filter, and another for each role', () => {
    const messages = ['day=eq.2030-01-07&id=in.(1,2)', 'day=eq.2031-12-24&id=in.(3)'].map((query) =>
      readFromWire(readToWire(parseRequest(requestOf(query)))),
    );
    expect(messages[0]?.shape).toBe(messages[1]?.shape);
    const prepared = new PreparedRead(JSON.parse(messages[0]?.shape ?? '') as ParsedRequest);
    const [first, second] = messages.map(({ given }) => prepared.for(sampleContext, given));
    expect(second?.query.text).toBe(first?.query.text);
    expect(second?.query.values.slice(1, 3)).toEqual(['2031-12-24', '{"3"}']);
    expect(second?.plan.canonicalQuery).toBe(messages[1]?.given.canonicalQuery);
    const whole = new PreparedRead(parseRequest(requestOf('day=eq.2031-12-24&id=in.(3)')));
    const guest = { ...sampleContext, practiceRole: 'read_only' as const };
    expect(asSent(prepared.for(guest, messages[1]?.given))).toEqual(asSent(whole.for(guest)));
  });

  it('has values in the Unicode form of stored texts, but not inside JSON', () => {
    const zoe = 'Zoe\u0308';
    const query = `guest=eq.${zoe}&guest=in.(${zoe})&guest=sim.${zoe}&guest=fts.${zoe}&extras=cs.${zoe}&extras->>a=eq.${zoe}`;
    const request = parseRequest(requestOf(encodeURI(query)));
    const { shape, given } = readFromWire(readToWire(request));
    for (const { query: sent } of [
      new PreparedRead(request).for(sampleContext),
      new PreparedRead(JSON.parse(shape) as ParsedRequest).for(sampleContext, given),
    ])
      expect(sent.values.slice(1, -2)).toEqual(['Zoë', '{"Zoë"}', 'Zoë', 'Zoë', zoe, 'a', zoe]);
  });

  it('is planned once for all practices', () => {
    const prepared = new PreparedRead(parseRequest(requestOf('day=eq.2030-01-07')));
    const [first, second] = contexts.map((context) => prepared.for(context));
    expect(second?.plan).toBe(first?.plan);
    expect(second?.query.text).toBe(first?.query.text);
    expect(second?.query.values[0]).toBe(otherPractice);
  });

  it('rejects a request that names another practice', () => {
    const prepared = new PreparedRead(parseRequest(requestOf(`therapist_id=eq.${practice}`)));
    expect(prepared.for({ ...sampleContext, therapistId: practice }).plan.where).toEqual([]);
    expect(() => prepared.for({ ...sampleContext, therapistId: otherPractice })).toThrow('42501');
  });
});
