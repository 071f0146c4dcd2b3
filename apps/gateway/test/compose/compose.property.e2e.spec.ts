// Random embeds across any number of services: the response equals the result of a plain search through the records.

import { beforeAll, expect, it } from '@jest/globals';
import { answered, makeAll, newPractice, type Practice, rowsOf, slot } from '@practice/testing';
import fc from 'fast-check';
import type { Row, TestedColumn } from '../dialect/columns.js';
import { condition, type Condition, parameterOf } from '../dialect/conditions.js';
import { evaluate } from '../dialect/evaluate.js';

// Random requests with any combination of embeds, and their URLs.

interface Relation {
  readonly to: string;
  readonly isToOne: boolean;
  readonly here: string;
  readonly there: string;
}

type Nulls = '' | '.nullsfirst' | '.nullslast';

interface Level {
  readonly resource: string;
  readonly columns: readonly string[];
  readonly embeds: readonly Embed[];
  readonly filters: readonly Condition[];
  readonly order: readonly {
    readonly column: string;
    readonly isRelated: boolean;
    readonly descending: boolean;
    readonly nulls: Nulls;
  }[];
  readonly limit: number | null;
  readonly offset: number;
  /** The condition on the first embed: `or` tests that it does not exist or that a column is null. */
  readonly existence: 'none' | 'is.null' | 'not.is.null' | 'or';
}

interface Embed {
  readonly relation: Relation;
  readonly form: 'nested' | 'empty' | 'spread' | 'count';
  readonly isInner: boolean;
  readonly level: Level;
}

const columns: Readonly<Record<string, readonly string[]>> = {
  clients: ['name', 'email', 'total_visits'],
  appointments: ['date', 'notes', 'status'],
  sessions: ['plan', 'subjective'],
  conversation_log: ['content', 'role'],
  service_menu: ['name', 'duration'],
};
const references = [
  ['appointments', 'client_id', 'clients'],
  ['appointments', 'service_id', 'service_menu'],
  ['sessions', 'client_id', 'clients'],
  ['sessions', 'appointment_id', 'appointments'],
  ['conversation_log', 'client_id', 'clients'],
] as const;
const relationsOf = (resource: string): Relation[] =>
  references.flatMap(([from, column, to]): Relation[] => [
    ...(from === resource ? [{ to, isToOne: true, here: column, there: 'id' }] : []),
    ...(to === resource ? [{ to: from, isToOne: false, here: 'id', there: column }] : []),
  ]);

/** Columns of words, and of numbers. */
const tested = (resource: string): TestedColumn[] =>
  (columns[resource] ?? [])
    .filter((name) => name !== 'date')
    .map((name) => {
      const isNumber = name === 'duration' || name === 'total_visits';
      const pool = isNumber ? ['0', '1', '31'] : ['ant', 'bee', 'cat', 'dog', 'no_show'];
      return { name, kind: isNumber ? 'number' : 'word', pool, of: (row) => row[name] };
    });

/** A request to a resource, with embeds down to this depth at most. */
const level = (resource: string, depth: number): fc.Arbitrary<Level> =>
  fc.record({
    resource: fc.constant(resource),
    columns: fc.subarray([...(columns[resource] ?? [])], { minLength: 1 }),
    embeds:
      depth === 0
        ? fc.constant([])
        : fc
            .array(
              fc.constantFrom(...relationsOf(resource)).chain((relation) => embed(relation, depth)),
              { maxLength: depth === 3 ? 3 : 2 },
            )
            .map(oneSpread),
    filters: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      fc.array(condition(tested(resource), 1), { maxLength: 2 }),
    ),
    order: fc.array(
      fc.record({
        column: fc.constantFrom(...(columns[resource] ?? [])),
        isRelated: fc.boolean(),
        descending: fc.boolean(),
        nulls: fc.constantFrom<Nulls>('', '', '.nullsfirst', '.nullslast'),
      }),
      { maxLength: 2 },
    ),
    limit: fc.option(fc.integer({ min: 0, max: 4 })),
    offset: fc.constantFrom(0, 0, 1),
    existence: fc.constantFrom('none', 'none', 'is.null', 'not.is.null', 'or'),
  });
const embed = (relation: Relation, depth: number): fc.Arbitrary<Embed> =>
  fc
    .record({
      relation: fc.constant(relation),
      form: fc.constantFrom('nested', 'nested', 'nested', 'empty', 'spread', 'count'),
      isInner: fc.constantFrom(false, false, true),
      level: level(relation.to, depth - 1),
    })
    .map((made): Embed => (made.form === 'spread' ? { ...made, level: plain(made.level) } : made));
/** A spread embed has no name, so no parameter can refer to it. */
const plain = ({ resource, columns: some }: Level): Level => ({
  resource,
  columns: some,
  embeds: [],
  filters: [],
  order: [],
  limit: null,
  offset: 0,
  existence: 'none',
});
/** Keeps a spread embed only in the first place, as no other embed may have its resource's name. */
const oneSpread = (embeds: readonly Embed[]): Embed[] =>
  embeds.filter(({ form }, index) => form !== 'spread' || index === 0);

/** The alias of an embed. */
const keyOf = (index: number): string => `e${index}`;

/** The value of `select`. */
function selectOf({ columns: own, embeds }: Level): string {
  const inner = ({ relation: { to }, form, isInner, level: { ...within } }: Embed, index: number): string => {
    const join = isInner ? '!inner' : '';
    if (form === 'spread')
      return `...${to}${join}(${within.columns.map((column) => `s${index}_${column}:${column}`).join(',')})`;
    const select = form === 'empty' ? '' : form === 'count' ? 'count' : selectOf(within);
    return `${keyOf(index)}:${to}${join}(${select})`;
  };
  return [...own, ...embeds.map(inner)].join(',');
}

/** All other parameters. */
function parametersOf(asked: Level, prefix = ''): string[] {
  const terms = termsOf(asked).map(
    ({ column, relation, descending, nulls }) =>
      `${relation === null ? column : `${relation}(${column})`}${descending ? '.desc' : ''}${nulls}`,
  );
  const [first] = asked.embeds;
  const tests = first === undefined || first.form === 'spread' ? 'none' : asked.existence;
  const other = asked.columns[0] ?? '';
  return [
    ...asked.filters.map((filter) => parameterOf(filter, prefix)),
    ...(terms.length > 0 ? [`${prefix}order=${terms.join(',')}`] : []),
    ...(asked.limit === null ? [] : [`${prefix}limit=${asked.limit}`]),
    ...(asked.offset === 0 ? [] : [`${prefix}offset=${asked.offset}`]),
    ...(tests === 'or'
      ? [`${prefix}or=(${keyOf(0)}.is.null,${other}.is.null)`]
      : tests === 'none'
        ? []
        : [`${prefix}${keyOf(0)}=${tests}`]),
    ...asked.embeds.flatMap((embedded, index) =>
      embedded.form === 'spread' ? [] : parametersOf(within(embedded), `${prefix}${keyOf(index)}.`),
    ),
  ];
}

/** The request of an embed. An empty or counted embed has no order and no inner embeds, and a count also has no page. */
function within({ form, level: inner }: Embed): Level {
  if (form === 'count') return { ...inner, order: [], embeds: [], limit: null, offset: 0 };
  return form === 'empty' ? { ...inner, order: [], embeds: [] } : inner;
}

interface Term {
  readonly column: string;
  readonly relation: string | null;
  readonly descending: boolean;
  readonly nulls: Nulls;
  readonly index: number;
}

/** The terms of an order. A term by a related record needs an embed of a single record. */
function termsOf({ order, embeds }: Level): Term[] {
  const index = embeds.findIndex(({ relation, form }) => relation.isToOne && form !== 'spread');
  const related = embeds[index];
  return order.map(({ column, isRelated, ...how }) =>
    isRelated && related !== undefined
      ? { column: columns[related.relation.to]?.[0] ?? '', relation: keyOf(index), index, ...how }
      : { column, relation: null, index: -1, ...how },
  );
}

// The expected response to a request, found by looking through all records.

/** Every record, by resource. */
type Tables = Readonly<Record<string, readonly Row[]>>;

interface Found {
  /** The number of rows on all pages. */
  readonly total: number;
  readonly page: readonly Row[];
}

class Records {
  constructor(private readonly tables: Tables) {}

  /** The answer to a request. */
  answer(asked: Level): Found {
    return this.among(this.tables[asked.resource] ?? [], asked);
  }

  private among(rows: readonly Row[], asked: Level): Found {
    const all = rows.filter((row) => this.meets(row, asked));
    const terms = termsOf(asked);
    const sorted = all.toSorted((a, b) => {
      for (const { column, index, descending, nulls } of terms) {
        const value = (row: Row): unknown =>
          (index < 0 ? row : this.returned(row, asked.embeds[index] as Embed)[0])?.[column] ?? null;
        const order = ordered(value(a), value(b), { descending, nulls });
        if (order !== 0) return order;
      }
      return compared(a['id'], b['id']);
    });
    const end = asked.limit === null ? undefined : asked.offset + asked.limit;
    return {
      total: all.length,
      page: sorted.slice(asked.offset, end).map((row) => this.projected(row, asked)),
    };
  }

  private meets(row: Row, asked: Level): boolean {
    const { filters, embeds, existence, columns: own } = asked;
    // An embedded count always exists, even if it is 0.
    const exists = (embedded: Embed): boolean =>
      embedded.form === 'count' || this.returned(row, embedded).length > 0;
    const [first] = embeds;
    if (!filters.every((one) => evaluate(one, row) === true)) return false;
    if (!embeds.every((embedded) => !embedded.isInner || exists(embedded))) return false;
    if (first === undefined || first.form === 'spread' || existence === 'none') return true;
    if (existence === 'or') return !exists(first) || row[own[0] ?? ''] === null;
    return exists(first) === (existence === 'not.is.null');
  }

  private projected(row: Row, { columns: own, embeds }: Level): Row {
    const members = embeds.flatMap((embedded, index): [string, unknown][] => {
      const { form, relation, level: inner } = embedded;
      const { total, page } = this.among(this.relatedTo(row, embedded), within(embedded));
      if (form === 'empty') return [];
      if (form === 'count') return [[keyOf(index), relation.isToOne ? { count: total } : [{ count: total }]]];
      if (form === 'nested') return [[keyOf(index), relation.isToOne ? (page[0] ?? null) : page]];
      return inner.columns.map((column) => [
        `s${index}_${column}`,
        relation.isToOne ? (page[0]?.[column] ?? null) : page.map((other) => other[column]),
      ]);
    });
    return Object.fromEntries([...own.map((column) => [column, row[column]] as const), ...members]);
  }

  /** The related records that an embed returns, in any order. */
  private returned(row: Row, embedded: Embed): Row[] {
    const inner = within(embedded);
    const end = inner.limit === null ? undefined : inner.offset + inner.limit;
    return this.relatedTo(row, embedded)
      .filter((other) => this.meets(other, inner))
      .slice(inner.offset, end);
  }

  private relatedTo(row: Row, { relation }: Embed): Row[] {
    return (this.tables[relation.to] ?? []).filter(
      (other) => row[relation.here] !== null && other[relation.there] === row[relation.here],
    );
  }
}

/** Null is greater than any other value, unless `nulls` gives its place. */
function ordered(a: unknown, b: unknown, { descending, nulls }: Pick<Term, 'descending' | 'nulls'>): number {
  if (nulls === '' || (a !== null && b !== null)) return descending ? -compared(a, b) : compared(a, b);
  return nulls === '.nullsfirst' ? -compared(a, b) : compared(a, b);
}

/** Null is greater than any other value. */
function compared(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return (a as string) < (b as string) ? -1 : (a as string) > (b as string) ? 1 : 0;
}

const words = ['ant', 'bee', 'cat', 'dog'];
const tables: Record<string, readonly Row[]> = {};
let practice: Practice;

beforeAll(async () => {
  practice = await newPractice();
  const word = (index: number): string => words[index % words.length] as string;
  const add = async (
    resource: string,
    count: number,
    record: (index: number) => object,
  ): Promise<string[]> => {
    const body = Array.from({ length: count }, (_, index) => record(index));
    await makeAll(practice, `${resource}?select=id`, body);
    tables[resource] = await rowsOf<Row>(practice, resource);
    return tables[resource].map(({ id }) => id as string);
  };
  const clients = await add('clients', 6, (index) => ({
    name: word(index),
    email: index % 3 === 0 ? null : `${word(index)}@example.com`,
    total_visits: index % 2,
  }));
  const services = await add('service_menu', 3, (index) => ({
    name: word(index),
    duration: 30 + index,
    price: 1,
  }));
  const visits = await add('appointments', 14, (index) => ({
    ...slot(index * 5),
    status: index % 4 === 0 ? 'cancelled' : 'no_show',
    notes: index % 3 === 0 ? null : word(index),
    client_id: index % 5 === 0 ? null : clients[index % 5],
    service_id: index % 4 === 0 ? null : services[index % 3],
  }));
  await add('sessions', 9, (index) => ({
    client_id: tables['appointments']?.[index]?.['client_id'] ?? clients[index % 3],
    appointment_id: index % 3 === 0 ? null : visits[index],
    plan: index % 4 === 0 ? null : word(index),
    subjective: word(index + 1),
  }));
  await add('conversation_log', 8, (index) => ({ client_id: clients[index % 4], content: word(index) }));
});

it('any request returns the rows of the plain search', async () => {
  const requests = fc.constantFrom(...Object.keys(columns)).chain((resource) => level(resource, 3));
  let foreign = 0;
  await fc.assert(
    fc.asyncProperty(requests, async (asked) => {
      const path = `${asked.resource}?${[`select=${selectOf(asked)}`, ...parametersOf(asked)].join('&')}`;
      const headers = { prefer: 'count=exact' };
      const answer = await answered(path, () => practice.rest(path, { headers }));
      const { total, page } = new Records(tables).answer(asked);
      if (asked.offset > total) {
        expect([path, answer.status]).toEqual([path, 416]);
        return;
      }
      if (answer.status >= 300) throw new Error(`${path} is answered ${answer.status} ${answer.text}`);
      expect([path, JSON.stringify(answer.json)]).toEqual([path, JSON.stringify(page)]);
      expect([path, answer.headers.get('content-range')?.split('/')[1]]).toEqual([path, String(total)]);
      foreign += Number(asked.embeds.length > 0 && page.length > 0);
    }),
    { numRuns: 200, endOnFailure: true },
  );
  expect(foreign).toBeGreaterThan(50);
});
