// Random filters on columns of every kind: the rows and their order equal the result of a plain search through all rows.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { answered, makeAll, newPractice, type Practice, rowsOf, slot } from '@practice/testing';
import fc from 'fast-check';
import { columns, comparable, type Row, type TestedColumn, texts, words } from './columns.js';
import { condition, type Condition, parameterOf } from './conditions.js';
import { evaluate } from './evaluate.js';

const tables: Record<string, readonly Row[]> = {};
let practice: Practice;

beforeAll(async () => {
  practice = await newPractice();
  const add = async (resource: string, record: (index: number) => object, count = 24): Promise<void> => {
    const body = Array.from({ length: count }, (_, index) => record(index));
    await makeAll(practice, `${resource}?select=id`, body);
    tables[resource] = await rowsOf<Row>(practice, resource);
  };
  const cycled = <T>(values: readonly T[], index: number, step = 1): T =>
    values[(index * step) % values.length] as T;
  const id = (index: number): string => `${String(index).repeat(8)}-0000-4000-8000-000000000000`;
  await add('clients', () => ({ id: id(1), name: 'Ann' }), 1);
  await add('service_menu', (index) => ({ id: id(index + 1), name: 'x', duration: 30, price: 1 }), 3);
  await add('appointments', (index) => ({
    ...slot(index),
    date: cycled(['2026-01-05', '2026-01-06', '2026-02-28'], index),
    start_time: cycled(['08:00', '09:30', '17:45'], index, 2),
    end_time: '18:00',
    status: cycled(['cancelled', 'no_show', 'completed'], index),
    notes: index % 5 === 0 ? null : cycled(texts, index),
    allow_overlap: index % 3 === 0,
    service_id: index % 4 === 0 ? null : id(1 + (index % 3)),
    created_at: cycled(['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.5Z', '2026-02-01T00:00:00Z'], index),
  }));
  await add('expenses', (index) => ({
    date: '2026-01-05',
    amount: cycled([-3, 0.1, 12.5, 100, 99999.99], index),
    category: cycled(words, index, 2),
    vendor: index % 5 === 0 ? null : cycled(texts, index),
  }));
  await add('conversation_log', (index) => ({
    client_id: id(1),
    content: cycled(words, index),
    metadata: {
      ...(index % 3 > 0 && { word: cycled(words, index) }),
      ...(index % 4 > 0 && { text: cycled(texts, index) }),
      ...(index % 2 > 0 && { n: cycled([0, 1, 2.5, '1', true], index) }),
      list: cycled([[1], ['a'], [{ b: [1] }], [], [[]]], index),
      deep: index % 6 === 0 ? 7 : { x: cycled(words, index) },
    },
  }));
});

interface Term {
  readonly column: TestedColumn;
  readonly direction: '' | '.asc' | '.desc';
  readonly nulls: '' | '.nullsfirst' | '.nullslast';
}

interface Asked {
  readonly resource: string;
  readonly conditions: readonly Condition[];
  readonly order: readonly Term[];
}

/** The order of text depends on its collation, and JSON has its own order. */
const isOrdered = ({ kind }: TestedColumn): boolean => kind !== 'text' && kind !== 'json';

const asked: fc.Arbitrary<Asked> = fc.constantFrom(...Object.keys(columns)).chain((resource) => {
  const all = columns[resource] ?? [];
  return fc.record({
    resource: fc.constant(resource),
    conditions: fc.array(condition(all), { minLength: 1, maxLength: 3 }),
    order: fc.array(
      fc.record({
        column: fc.constantFrom(...all.filter(isOrdered)),
        direction: fc.constantFrom('', '.asc', '.desc'),
        nulls: fc.constantFrom('', '.nullsfirst', '.nullslast'),
      }),
      { maxLength: 3 },
    ),
  });
});

function queryOf({ conditions, order }: Asked): string {
  const terms = order.map(({ column, direction, nulls }) => column.name + direction + nulls);
  const ordered = terms.length > 0 ? [`order=${encodeURIComponent(terms.join(','))}`] : [];
  return ['select=id', ...conditions.map((said) => parameterOf(said)), ...ordered].join('&');
}

function expected({ resource, conditions, order }: Asked): unknown[] {
  const found = (tables[resource] ?? []).filter((row) =>
    conditions.every((said) => evaluate(said, row) === true),
  );
  return found.toSorted((a, b) => comparedBy(order, a, b)).map(({ id }) => id);
}

function comparedBy(order: readonly Term[], a: Row, b: Row): number {
  for (const { column, direction, nulls } of order) {
    const [one, other] = [column.of(a) ?? null, column.of(b) ?? null];
    const isDescending = direction === '.desc';
    const nullsFirst = nulls === '' ? isDescending : nulls === '.nullsfirst';
    if (one === null && other === null) continue;
    if (one === null || other === null) return (one === null) === nullsFirst ? -1 : 1;
    const [left, right] = [comparable(column.kind, one), comparable(column.kind, other)];
    if (left !== right) return left < right === isDescending ? 1 : -1;
  }
  return String(a['id']) < String(b['id']) ? -1 : 1;
}

describe('any filter', () => {
  it('finds the rows of the plain search, in the requested order', async () => {
    let [some, none] = [0, 0];
    await fc.assert(
      fc.asyncProperty(asked, async (request) => {
        const path = `${request.resource}?${queryOf(request)}`;
        const answer = await answered(path, () => practice.rest(path));
        const ids =
          answer.status === 200 ? (answer.json as { id: string }[]).map(({ id }) => id) : answer.text;
        const wanted = expected(request);
        expect([decodeURIComponent(path), ids]).toEqual([decodeURIComponent(path), wanted]);
        if (wanted.length > 0) some += 1;
        else none += 1;
      }),
      { numRuns: 600, endOnFailure: true },
    );
    expect(Math.min(some, none)).toBeGreaterThan(60);
  });
});
