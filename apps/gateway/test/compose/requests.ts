// Random requests that embed anything in anything, and how they are written.

import fc from 'fast-check';
import type { TestedColumn } from '../dialect/columns.js';
import { condition, parameterOf } from '../dialect/conditions.js';
import type { Condition } from '../dialect/conditions.js';

export interface Relation {
  readonly to: string;
  readonly isToOne: boolean;
  readonly here: string;
  readonly there: string;
}

export type Nulls = '' | '.nullsfirst' | '.nullslast';

export interface Level {
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
  /** The condition on the first embed: that it exists, that it doesn't, or one of the two next to another test. */
  readonly existence: 'none' | 'is.null' | 'not.is.null' | 'or';
}

export interface Embed {
  readonly relation: Relation;
  readonly form: 'nested' | 'empty' | 'spread' | 'count';
  readonly isInner: boolean;
  readonly level: Level;
}

export const columns: Readonly<Record<string, readonly string[]>> = {
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

/** A request to a resource, with relations embedded this deep at most. */
export const level = (resource: string, depth: number): fc.Arbitrary<Level> =>
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
/** And no other embed may go by its resource's name. */
const oneSpread = (embeds: readonly Embed[]): Embed[] =>
  embeds.filter(({ form }, index) => form !== 'spread' || index === 0);

/** The alias of an embed. */
export const keyOf = (index: number): string => `e${index}`;

/** The value of `select`. */
export function selectOf({ columns: own, embeds }: Level): string {
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
export function parametersOf(asked: Level, prefix = ''): string[] {
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

/** The restrictions of an embed on its records. An empty or counted embed has no embeds of its own, a count no page. */
export function within({ form, level: inner }: Embed): Level {
  if (form === 'count') return { ...inner, order: [], embeds: [], limit: null, offset: 0 };
  return form === 'empty' ? { ...inner, order: [], embeds: [] } : inner;
}

export interface Term {
  readonly column: string;
  readonly relation: string | null;
  readonly descending: boolean;
  readonly nulls: Nulls;
  readonly index: number;
}

/** The terms of an order; one by a related record needs an embed of one. */
export function termsOf({ order, embeds }: Level): Term[] {
  const index = embeds.findIndex(({ relation, form }) => relation.isToOne && form !== 'spread');
  const related = embeds[index];
  return order.map(({ column, isRelated, ...how }) =>
    isRelated && related !== undefined
      ? { column: columns[related.relation.to]?.[0] ?? '', relation: keyOf(index), index, ...how }
      : { column, relation: null, index: -1, ...how },
  );
}
