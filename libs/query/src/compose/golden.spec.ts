// The steps of compositions are reviewed in golden/compositions.json, and the SQL of each step in golden/request-subplan.sql.

import { describe, expect, it } from '@jest/globals';
import { Rejection } from '@practice/core';
import fc from 'fast-check';
import { compileKeys, compileRows } from '../compile/subplan.js';
import { compileRead, keysBelow, parseRequest, planRead } from '../index.js';
import type { Composition, EmbedPath, RowsStep, SqlQuery } from '../index.js';
import { planSubquery, type SubqueryResult } from '../plan/subplan.js';
import { expectGolden } from '../testing/golden.js';
import { practice, requestOf, sampleContext, type Sample } from '../testing/sample.js';
import { planComposition } from './composition.js';
import { subqueryAt } from './prepared-composition.js';

const KEY = '018f00000000700080000000000000c1';
const packed = Buffer.from(KEY, 'hex').toString('base64');
const context = { ...sampleContext, semiJoinKeys: [] };

const requests: readonly (readonly [string, string, Sample?])[] = [
  ['entries', 'select=content,visits(day,rooms(name))'],
  ['visits', 'select=*,entries(content)&entries.content=like.a*&entries.order=content&entries.limit=2'],
  ['rooms', 'select=name,visits(day,entries(count))&visits.seats=gt.1'],
  ['entries', 'select=content,visits!inner(day)&visits.seats=gt.1'],
  ['entries', 'select=content,visits()&or=(visits.is.null,content.eq.x)'],
  ['entries', 'select=content,visits(day)&order=visits(day).desc,visits(guest),content'],
  ['entries', 'select=content,...visits(day,...rooms(name))'],
  ['visits', 'select=day,...entries(content,created_at)'],
  ['rooms', 'select=name,visits!inner(id,entries!inner())&visits.entries.content=eq.x'],
  ['rooms', 'select=name,visits(day,e:entries())&visits.e=not.is.null&visits.limit=1'],
  ['entries', 'select=content,visits!inner(day,entries!inner(content))&visits.entries.content=eq.x'],
  ['rooms', 'select=name,visits(day,entries!inner(content))&visits.entries.offset=2'],
  ['entries', 'select=content,visits!inner(day)&visits.offset=1&order=visits(day)'],
  ['visits', 'select=day,entries!inner(count())'],
  ['entries', 'select=count(),...visits!inner(day)&visits.guest=eq.{}&content=eq.{}'],
  ['entries', 'select=...visits(count())&visits.order=day'],
  ['entries', 'select=...visits(day,seats.sum()),count()&visits.seats=gt.1'],
  ['entries', 'select=visits(day,at:start_time),count()'],
  ['entries', 'select=...visits(day,rooms(name),n:count(),...rooms(name.max()))&order=visits(day)'],
  ['entries', 'select=content,visits!inner(day)', { method: 'HEAD' }],
  ['entries', 'select=content,visits(day)&visits.seats=gt.1', { method: 'HEAD' }],
  ['entries', 'select=content,visits()&visits.seats=gt.1'],
  ['entries', 'select=content,visits(day)', { headers: { accept: 'text/csv' } }],
  [
    'entries',
    'select=content,visits(day)&visits.seats=gt.1&order=visits(day)',
    { method: 'POST', headers: { prefer: 'return=representation' } },
  ],
  [
    'entries',
    'select=content,visits!inner(day)&visits.seats=gt.1',
    { method: 'POST', headers: { prefer: 'return=representation' } },
  ],
];

const titleOf = ([resource, query, sample]: (typeof requests)[number]): string =>
  [sample?.method ?? 'GET', `${resource}?${query}`, JSON.stringify(sample?.headers ?? {})]
    .join(' ')
    .replace(' {}', '');

const composed = ([resource, query, sample = {}]: (typeof requests)[number]): Composition =>
  planned(
    parseRequest(requestOf(query, { ...sample, resource, body: sample.method === 'POST' ? {} : undefined })),
    context,
  );

/** The composition of a request whose response contains records. */
function planned(...asked: Parameters<typeof planComposition>): Composition {
  const composition = planComposition(...asked);
  if (composition === null) throw new Error('the response contains no records');
  return composition;
}

interface Step {
  readonly path: EmbedPath;
  readonly result: SubqueryResult;
}

/** Every subquery of a composition. */
function stepsOf({ keys, root }: Composition): Step[] {
  const within = ({ pieces }: RowsStep): Step[] =>
    pieces.flatMap((piece) =>
      piece.kind === 'run'
        ? []
        : [
            { path: piece.rows.path, result: { kind: 'rows', format: piece.rows.format } },
            ...within(piece.rows),
          ],
    );
  return [...keys, ...within(root)];
}

function statementsOf(request: (typeof requests)[number]): SqlQuery[] {
  const [resource, query] = request;
  const composition = composed(request);
  const semiJoinKeys = composition.keys.map(({ path, result }) => ({
    path,
    matching: result.matching ? packed : null,
    values: result.values.length > 0 ? `{"${KEY}":{}}` : null,
    ranks: result.ranks.map(({ name }) => ({ field: name, keys: packed, positions: 'AAAAAQ==' })),
  }));
  const parsed = parseRequest(requestOf(query, { resource }));
  const subqueries = stepsOf(composition).map(({ path, result }) => {
    const below = { ...context, semiJoinKeys: keysBelow(semiJoinKeys, path) };
    const plan = planSubquery(subqueryAt(parsed, path, context.catalog), result, below);
    return plan.kind === 'keys'
      ? compileKeys(plan, context.therapistId)
      : compileRows(plan, context.therapistId, [KEY, null]);
  });
  return [...subqueries, compileRead(planRead(parsed, { ...context, semiJoinKeys }), context.therapistId)];
}

describe('a composition', () => {
  it('lists the steps of each service in order', () => {
    const compositions = Object.fromEntries(requests.map((request) => [titleOf(request), composed(request)]));
    expectGolden('compositions.json', `${JSON.stringify(compositions, null, 2)}\n`);
  });

  it('has one statement for each step', () => {
    const parts = requests.slice(0, 19).map((request) => {
      const statements = statementsOf(request).map(
        ({ text, values }) =>
          `${text};\n${values.map((value, index) => `-- $${index + 1} ${value}\n`).join('')}`,
      );
      return `-- ${titleOf(request)}\n${statements.join('')}`;
    });
    expectGolden('request-subplan.sql', parts.join('\n'));
  });

  it('binds fetched records to their own parameter, for any values of filters', () => {
    const fetched = fc.constantFrom('{}', '{"a":{}}', 'null', practice, '1000', '0');
    fc.assert(
      fc.property(fetched, fc.array(fetched, { maxLength: 3 }), (values, filters) => {
        const query = [
          'select=count(),...visits(day),...visits(guest)',
          ...filters.map((text) => `content=eq.${encodeURIComponent(text)}`),
        ].join('&');
        const keys = [0, 1].map((at) => ({ path: [at], matching: null, values, ranks: [] }));
        const request = parseRequest(requestOf(query, { resource: 'entries' }));
        const sql = compileRead(
          planRead(request, { ...sampleContext, semiJoinKeys: keys }),
          sampleContext.therapistId,
        );
        const all = [...sql.text.matchAll(/\$(\d+)(::jsonb)?/g)];
        const parameters = (of: typeof all): string[] => [...new Set(of.map(([, index]) => String(index)))];
        const jsonb = parameters(all.filter(([, , cast]) => cast !== undefined));
        const others = parameters(all.filter(([, , cast]) => cast === undefined));
        expect(jsonb.map((index) => sql.values[Number(index) - 1])).toEqual([values, values]);
        expect(others.filter((index) => jsonb.includes(index))).toEqual([]);
        expect(all.length).toBeGreaterThan(filters.length);
      }),
    );
  });

  it.each([
    ['entries', 'select=content,nothing(id)', 'PGRST200'],
    ['entries', 'select=content,visits(nothing)', '42703'],
    ['entries', 'select=content&visits.day=eq.today', 'PGRST108'],
    ['visits', 'select=day,entries(content)&order=entries(content)', 'PGRST118'],
    ['entries', 'select=visits(rooms(visits(day))),count()', 'PGRST127'],
    ['visits', 'select=entries(content),count()', 'PGRST127'],
    ['visits', 'select=day,...entries(content.count())', 'PGRST127'],
    [
      'entries',
      'select=content,visits(day)&visits.therapist_id=eq.018f0000-0000-7000-8000-00000000000b',
      '42501',
    ],
    [
      'visits',
      `select=${Array.from({ length: 33 }, (_, index) => `e${index}:entries(id)`).join(',')}`,
      'PM400',
    ],
  ])('%s?%.50s is rejected with %s', (resource, query, code) => {
    const refused = (): Composition => composed([resource, query]);
    expect(refused).toThrow(Rejection);
    expect(refused).toThrow(code);
  });
});
