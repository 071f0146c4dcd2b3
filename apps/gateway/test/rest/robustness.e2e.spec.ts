// Random requests: each response has a status below 500 and a body in the shape of the contract.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { newPractice, patient, type Answer, type Practice } from '@practice/testing';
import fc from 'fast-check';

let practice: Practice;
beforeAll(async () => {
  practice = await newPractice();
});

const resources = fc.constantFrom('appointments', 'service_menu', 'business_hours', 'nothing', 'rpc/f', '');
const columns = fc.constantFrom(
  'id',
  'therapist_id',
  'date',
  'start_time',
  'status',
  'notes',
  'price',
  'duration',
  'day_of_week',
  'created_at',
  'colour',
  'clients(name)',
  '*',
  '',
  'notes->>x',
  '"id"',
);
const operators = fc.constantFrom(
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'like',
  'ilike',
  'in',
  'is',
  'isdistinct',
  'match',
  'imatch',
  'fts',
  'plfts',
  'cs',
  'cd',
  'ov',
  'not.eq',
  'not.in',
  'eq(any)',
  'like(all)',
  'not.not.eq',
  'EQ',
  '',
  'between',
);
const values = fc.oneof(
  fc.constantFrom(
    '',
    'null',
    '1',
    '-1',
    '9'.repeat(40),
    '1e999',
    'NaN',
    '2026-02-30',
    '2026-05-01',
    '25:99',
    '09:00',
    '(',
    ')',
    '()',
    '(a,b',
    '("a","b")',
    '{a,b}',
    '{',
    '*',
    '%',
    "'; drop table scheduling.appointments; --",
    '\\',
    '[',
    '(?=',
    '\u0000',
    '%00',
    '\ud800',
    '💥',
    'true',
    'unknown',
    '00000000-0000-4000-8000-000000000000',
    '$1',
    '${x}',
  ),
  fc.string({ maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 10 }),
);
const column = fc.oneof(columns, fc.string({ maxLength: 12 }));
const parameters = fc.oneof(
  fc.tuple(
    column,
    fc.tuple(operators, values).map((parts) => parts.join('.')),
  ),
  fc.tuple(column, values),
  fc.tuple(
    fc.constant('select'),
    fc.array(columns, { maxLength: 4 }).map((names) => names.join(',')),
  ),
  fc.tuple(
    fc.constant('order'),
    fc.tuple(columns, fc.constantFrom('asc', 'desc', 'up', 'asc.nullsfirst')).map((p) => p.join('.')),
  ),
  fc.tuple(fc.constantFrom('limit', 'offset'), values),
  fc.tuple(
    fc.constantFrom('and', 'or', 'not.or'),
    fc.tuple(columns, operators, values).map((p) => `(${p.join('.')},or(id.is.null))`),
  ),
  fc.tuple(fc.constantFrom('columns', 'on_conflict'), values),
);

/** Escapes a value, usually as a client does, and sometimes wrongly. */
const encode = fc.constantFrom<(text: string) => string>(
  (text) => encodeURIComponent(text.toWellFormed()),
  (text) => encodeURI(text.toWellFormed()).replaceAll('#', '%23'),
  () => '%',
  () => '%ff%00',
);
const queries = fc
  .array(fc.tuple(parameters, encode), { maxLength: 5 })
  .map((pairs) =>
    pairs
      .map(([[name, value], escape]) => `${encodeURIComponent(name.toWellFormed())}=${escape(value)}`)
      .join('&'),
  );

const headers = fc.record(
  {
    prefer: fc.constantFrom(
      'return=representation',
      'count=exact',
      'handling=strict, x',
      'tx=rollback',
      'return=',
      ',,=',
    ),
    accept: fc.constantFrom('application/vnd.pgrst.object+json', 'text/csv', 'image/png', '*/*;q=0', 'x'),
    range: fc.constantFrom('0-9', '9-0', '-1', 'items=0-', '99999999999999999999-'),
    'accept-profile': fc.constantFrom('public', 'private', ''),
    'content-type': fc.constantFrom(
      'application/json',
      'text/csv',
      'application/x-www-form-urlencoded',
      'x',
      'a/b; c',
    ),
  },
  { requiredKeys: [] },
);

const bodies = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    '[]',
    '{}',
    'null',
    '[1]',
    '[null]',
    '"x"',
    '{"id":1}',
    '{"notes":"\\u0000"}',
    '{"notes":"\\ud800"}',
    `${'['.repeat(5000)}${']'.repeat(5000)}`,
    '{"__proto__":{"x":1}}',
    '{"duration":1e999}',
    '{"id":"x","id":"y"}',
  ),
  fc.json({ maxDepth: 3 }),
  fc
    .dictionary(columns, fc.oneof(values, fc.integer(), fc.double(), fc.constant(null)))
    .map((row) => JSON.stringify(row)),
);

function checkShape(answer: Answer): void {
  expect(answer.status).toBeLessThan(500);
  if (answer.status < 400 || answer.text === '') return;
  expect(Object.keys(answer.json as object).sort()).toEqual(['code', 'details', 'hint', 'message']);
  expect(answer.json).toMatchObject({
    code: expect.stringMatching(/^(PGRST\w{3}|PM\d{3}|[0-9A-Z]{5})$/),
    message: expect.any(String),
  });
}

describe('any request', () => {
  it('to read, change or remove is answered below 500, in the shape of the contract', async () => {
    const methods = fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'DELETE', 'PATCH');
    await fc.assert(
      fc.asyncProperty(
        resources,
        queries,
        fc.record({ method: methods, headers }),
        async (resource, query, how) => {
          const given = how.method === 'PATCH' ? { ...how, body: '{"notes":"x"}' } : how;
          checkShape(await patient(() => practice.rest(`${resource}?${query}`, given)));
        },
      ),
      { numRuns: 1600, endOnFailure: true },
    );
  });

  it('to write is answered below 500, in the shape of the contract', async () => {
    const methods = fc.constantFrom('POST', 'POST', 'PATCH', 'PUT');
    const how = fc.record({ method: methods, headers, body: bodies });
    await fc.assert(
      fc.asyncProperty(resources, queries, how, async (resource, query, call) => {
        checkShape(await patient(() => practice.rest(`${resource}?${query}`, call)));
      }),
      { numRuns: 800, endOnFailure: true },
    );
  });

  it('does not change another practice’s records', async () => {
    const other = await newPractice();
    const row = { therapist_id: other.therapistId, name: 'Massage', duration: 60, price: 80 };
    await other.rest('service_menu', { method: 'POST', body: row });
    await fc.assert(
      fc.asyncProperty(queries, fc.constantFrom('PATCH', 'DELETE'), async (query, method) => {
        await practice.rest(`service_menu?${query}`, {
          method,
          ...(method === 'PATCH' ? { body: { name: 'x' } } : {}),
        });
      }),
      { numRuns: 100, endOnFailure: true },
    );
    const kept = await other.rest('service_menu?select=name');
    expect(kept.json).toEqual([{ name: 'Massage' }]);
  });
});
