// Whatever a URL holds: a statement that none of it is part of, or a refusal with a code.

import { describe, expect, it } from '@jest/globals';
import { Rejection } from '@practice/core';
import fc from 'fast-check';
import {
  compileRead,
  compileTargets,
  operators,
  parseRequest,
  planRead,
  planWrite,
  readResponse,
} from './index.js';
import type { ReadPlan, SqlQuery } from './index.js';
import { requestOf, sampleContext } from './testing/sample.js';

const MARK = 'q0z7';
const CODE = /^(PGRST\d{3}|PM\d{3}|2202[13]|22P05|42501|42703|42704|4280[34]|42883|21000)$/;

const nasty = fc.constantFrom(
  "'; drop table visits; --",
  '$1',
  '"',
  '\\',
  '%00',
  '%zz',
  '%ff',
  '%ed%a0%80',
  '\0',
  '{',
  '}',
  '((',
  '))',
  ',',
  '.',
  '*',
  '->',
  '::',
  '&',
  '=',
  '😀',
  '\ud800',
);
const marked = fc
  .tuple(fc.string({ maxLength: 8 }), fc.option(nasty, { nil: '' }))
  .map(([text, extra]) => `${MARK}${text}${extra}`);
const value = fc.oneof(marked, marked.map(encodeOrKeep), fc.constantFrom('1', 'null', 'true', '2026-05-01'));
const column = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom(
      'id',
      'day',
      'start_time',
      'guest',
      'seats',
      'price',
      'paid',
      'extras->a',
      'extras->>a',
      'therapist_id',
    ),
  },
  { weight: 1, arbitrary: fc.oneof(nasty, fc.string({ maxLength: 5 })) },
);
const operator = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom('eq', 'eq', 'neq', 'gt', 'in', 'in', 'is', ...operators.keys()) },
  { weight: 1, arbitrary: fc.string({ maxLength: 4 }) },
);
const operand = fc.oneof(
  value.map((text) => `.${text}`),
  fc
    .array(value, { maxLength: 5 })
    .map((texts) => `.(${texts.map((text, index) => (index % 2 === 0 ? text : `"${text}"`)).join(',')})`),
  value.map((text) => `(any).{${text}}`),
  fc.constantFrom('.null', '.not_null', '.true', '(english).x'),
);
const test = fc.tuple(fc.constantFrom('', '', 'not.'), operator, operand).map((parts) => parts.join(''));
const tree = fc.letrec<{ member: string; group: string }>((tie) => ({
  member: fc.oneof(
    { depthSize: 'small' },
    fc.tuple(column, test).map((parts) => parts.join('.')),
    tie('group'),
  ),
  group: fc
    .tuple(fc.constantFrom('and', 'or', 'not.and', 'not.or'), fc.array(tie('member'), { maxLength: 4 }))
    .map(([name, members]) => `${name}(${members.join(',')})`),
}));
const ordinary = fc.oneof(
  fc.tuple(column, test).map((parts) => parts.join('=')),
  fc
    .tuple(fc.constantFrom('and', 'or', 'not.or'), fc.array(tree.member, { minLength: 1, maxLength: 4 }))
    .map(([name, members]) => `${name}=(${members.join(',')})`),
  fc
    .array(fc.tuple(column, fc.constantFrom('', '::text', '::int', `::${MARK}`, '.sum()', '(id)')))
    .map((items) => `select=${items.map((parts) => parts.join('')).join(',')}`),
  fc
    .array(fc.tuple(column, fc.constantFrom('', '.asc', '.desc.nullslast', '.up')), { minLength: 1 })
    .map((terms) => `order=${terms.map((parts) => parts.join('')).join(',')}`),
  fc
    .tuple(fc.constantFrom('limit', 'offset', 'columns', 'rooms.limit', 'on_conflict'), value)
    .map((parts) => parts.join('=')),
);
const embedding = fc
  .tuple(
    fc.constantFrom(
      'rooms(name)',
      'r:rooms!inner(*)',
      'rooms!room_id(name,visits(id))',
      '...rooms(name)',
      'rooms()',
    ),
    fc.constantFrom('rooms.name=', 'rooms=', 'rooms.visits.day=', 'r.name='),
    test,
    fc.constantFrom(
      '',
      '&order=rooms(name)',
      '&rooms.limit=3',
      '&rooms.or=(name.is.null)',
      '&or=(rooms.is.null)',
    ),
  )
  .map(([select, name, test, more]) => `select=id,${select}&${name}${test}${more}`);
const garbage = fc.oneof(
  fc.string({ maxLength: 30, unit: 'binary' }),
  nasty,
  fc.nat({ max: 5_000 }).map((depth) => `or=${'('.repeat(depth)}`),
  fc.nat({ max: 5_000 }).map((depth) => `or=${'(and'.repeat(depth)}(id.eq.1)`),
  fc.nat({ max: 5_000 }).map((depth) => `select=${'rooms('.repeat(depth)}`),
);
const parameter = fc.oneof(
  { weight: 12, arbitrary: ordinary },
  { weight: 3, arbitrary: embedding },
  { weight: 1, arbitrary: garbage },
);
const query = fc.array(parameter, { minLength: 1, maxLength: 3 }).map((parameters) => parameters.join('&'));

function encodeOrKeep(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : text;
}

/** A statement, or null when the request was refused as a caller's mistake. */
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
  return compileRead(plan);
}

describe('any query string', () => {
  it.each(['GET', 'DELETE'])('%s: a statement free of its values, or a refusal', (method) => {
    let compiled = 0;
    fc.assert(
      fc.property(query, (text) => {
        const statement = outcome(text, method);
        if (statement === null) return;
        compiled += 1;
        expect(statement.text).not.toContain(MARK);
        expect(statement.text).not.toContain('drop table');
        expect(statement.values.join('')).not.toContain('\0');
        expect(new Set(statement.text.match(/\$\d+/g)).size).toBe(statement.values.length);
      }),
      { numRuns: 10_000 },
    );
    expect(compiled).toBeGreaterThan(200);
  });

  it('takes time in proportion to its length', () => {
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

  it('any header, too, is answered or refused', () => {
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
        try {
          planRead(parseRequest(requestOf('', { headers: { prefer, accept, range } })), sampleContext);
        } catch (error) {
          if (!(error instanceof Rejection)) throw error;
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
