// Any URL compiles to a statement that contains no part of its values, or is rejected with a code.

import { describe, expect, it } from '@jest/globals';
import { outcomeOf, Rejection } from '@practice/core';
import fc from 'fast-check';
import { compileRead, compileTargets, parseRequest, planRead, planWrite, readResponse } from './index.js';
import type { ReadPlan, SqlQuery } from './index.js';
import { MARK, queryStrings } from './testing/query-strings.js';
import { requestOf, sampleContext } from './testing/sample.js';

const CODE = /^(PGRST\d{3}|PM\d{3}|2201B|2202[13]|22P05|42501|42703|42704|4280[34]|42883|21000)$/;

/** A statement, or null if the request was rejected as the caller's error. */
function outcome(text: string, method: string): SqlQuery | null {
  try {
    const parsed = parseRequest(requestOf(text, { method }));
    if (method === 'GET') return readStatement(planRead(parsed, sampleContext));
    const plan = planWrite(parsed, sampleContext);
    return plan.kind === 'delete' ? compileTargets(plan) : null;
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    expect(error.problem.status).toBeGreaterThanOrEqual(400);
    expect(error.problem.status).toBeLessThan(500);
    expect(error.problem.code).toMatch(CODE);
    return null;
  }
}

function readStatement(plan: ReadPlan): SqlQuery {
  for (const header of Object.values(readResponse(plan, { body: '', page: 1, total: null }).headers)) {
    expect(header).toMatch(/^[\x20-\x7e]*$/);
  }
  return compileRead(plan, sampleContext.therapistId);
}

describe('any query string', () => {
  it.each(['GET', 'DELETE'])('of a %s becomes a statement without the values, or is rejected', (method) => {
    let compiled = 0;
    fc.assert(
      fc.property(queryStrings, (text) => {
        const statement = outcome(text, method);
        if (statement === null) return;
        compiled += 1;
        expect(statement.text).not.toContain(MARK);
        expect(statement.text).not.toContain('drop table');
        expect(statement.values.join('')).not.toContain('\0');
        expect(new Set(statement.text.match(/\$\d+/g)).size).toBe(statement.values.length);
      }),
      { numRuns: 10_000, examples: [['guest=imatch.(q0z7\\1)']] },
    );
    expect(compiled).toBeGreaterThan(200);
  });

  it('that repeats one piece up to the limit of a URL compiles or is rejected', () => {
    const long = 16_000;
    for (const piece of [
      '(',
      '"',
      '\\"',
      ',"',
      'a.eq.{,',
      'a.eq."\\",',
      'not.',
      '->',
      'and(',
      '%41',
      ',',
      'a:',
    ]) {
      for (const name of ['or', 'select', 'order', 'columns', 'id']) {
        for (const start of ['', '(', 'in.(', 'in.("'])
          outcome(`${name}=${start}${piece.repeat(long / piece.length)}`, 'GET');
      }
    }
  });

  it('any header is accepted or rejected', () => {
    const header = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.constantFrom(
        'handling=strict, x',
        'count=exact,count=exact',
        'max-affected=1e9',
        '0-',
        '*/*;q=x, a/b',
      ),
    );
    fc.assert(
      fc.property(header, header, header, (prefer, accept, range) => {
        outcomeOf(() =>
          planRead(parseRequest(requestOf('', { headers: { prefer, accept, range } })), sampleContext),
        );
      }),
      { numRuns: 2_000 },
    );
  });
});
