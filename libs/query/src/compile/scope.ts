import { reject } from '@practice/core';
import { kinds } from '@practice/resource';
import { limits } from '../limits.js';
import { tooMany } from '../problems.js';
import type { ReadPlan } from '../plan/read.js';
import type { BoundKeys } from '../plan/semi-join-keys.js';
import { boundText, type GivenValue } from '../plan/read-shape.js';
import type { PlannedEmbed, PlannedFilter } from '../plan/read-plan.js';

/** A query in SQL: its text depends only on the shape of the request, and the values of its parameters are separate. */
export interface SqlQuery {
  readonly text: string;
  /** The values of `$1`, `$2`, … as text. Postgres reads each as the type of the expression that it is compared with. */
  readonly values: readonly string[];
  /** Present in the query of a shape: index in `values` → place among the values of the request. */
  readonly slots?: ReadonlyMap<number, number>;
  /** Indexes in `values` of values that are compared with stored texts, which are in NFC. */
  readonly texts?: ReadonlySet<number>;
  /** The caller's request decides the text. */
  readonly isShaped: true;
}

/** A reference to a parameter of the query. */
export type Parameter = `$${number}`;

/** A query under construction. */
interface Construction {
  readonly values: string[];
  readonly slots: Map<number, number>;
  readonly texts: Set<number>;
  /** The parameters of the values that were fetched for an embed. They are sent once, however often they are used. */
  readonly fetched: Map<PlannedEmbed, Parameter>;
  /** Expressions that are evaluated even if no row is read. */
  readonly checks: string[];
  /** The instant whose state is read, and its parameter once it is used; null is the present. */
  readonly past: { readonly instant: string; parameter?: Parameter } | null;
}

/** The place of a piece of SQL: its table, and the query that it is part of. */
export interface Scope {
  /** The table's name in the query: `t`, and `t1`, `t2`, … for nodes embedded in it. */
  readonly table: string;
  readonly depth: number;
  readonly query: Construction;
  /** Keys of other services' records. */
  readonly semiJoinKeys: BoundKeys | null;
  /** Whether the condition that is written is part of a negated one. */
  readonly isNegated?: boolean;
  /** Whether the rows are of a next page by cursor. They may have changed since the first page. */
  readonly isOfNextPage?: boolean;
}

/** The scope of a query: its first parameter is the practice, or the rows of a function. */
export const rootScope = (
  first: string,
  { semiJoinKeys = null, asOf = null }: Partial<Pick<ReadPlan, 'semiJoinKeys' | 'asOf'>> = {},
): Scope => ({
  table: 't',
  depth: 0,
  query: {
    values: [first],
    slots: new Map(),
    texts: new Set(),
    fetched: new Map(),
    checks: [],
    past: asOf === null ? null : { instant: asOf },
  },
  semiJoinKeys,
});

/** The first parameter: the practice, or the rows of a function. */
export const FIRST: Parameter = '$1';

/** The parameter that every condition on a table begins with. */
export const PRACTICE = FIRST;

/** The same query with other first values. */
export const withFirst = (query: SqlQuery, ...first: string[]): SqlQuery => ({
  ...query,
  values: [...first, ...query.values.slice(first.length)],
});

/** The query of a shape for a practice, with the values of a request. */
export const withValues = (
  { text, values, slots, texts, isShaped }: SqlQuery,
  practice: string,
  given: readonly GivenValue[],
): SqlQuery => {
  const [, ...others] = values;
  const bound = [practice, ...others];
  for (const [index, slot] of slots ?? []) {
    const value = boundText(given[slot] ?? '');
    bound[index] = texts?.has(index) === true ? value.normalize() : value;
  }
  return { text, values: bound, isShaped };
};

/** The scope of a node embedded in this one. */
export const innerScope = ({ depth, ...scope }: Scope): Scope => ({
  ...scope,
  table: `t${depth + 1}`,
  depth: depth + 1,
});

/** Adds a value; returns its parameter. @param slot in a shape, the place among the values of the request */
export function bind({ query: { values, slots } }: Scope, value: string, slot?: number): Parameter {
  if (slot !== undefined) slots.set(values.length, slot);
  values.push(value);
  return `$${values.length}`;
}

type Compared = Pick<PlannedFilter, 'field' | 'operand'>;

/** Adds a value of a filter. Stored texts are in NFC, but not texts inside JSON. */
export function bindOperand(scope: Scope, value: string, { field, operand }: Compared): Parameter {
  const isText = field.column.kind === kinds.text && field.path.length === 0;
  if (isText) scope.query.texts.add(scope.query.values.length);
  return bind(scope, isText ? value.normalize() : value, 'slot' in operand ? operand.slot : undefined);
}

/** The parameter of the instant that the query reads; null for the present. */
export function bindInstant(scope: Scope): Parameter | null {
  const { past } = scope.query;
  return past === null ? null : (past.parameter ??= bind(scope, past.instant));
}

/** The parameter of the values fetched for an embed. They may be large, so they are added once. */
export function bindFetched(scope: Scope, embed: PlannedEmbed, value: string): Parameter {
  const { fetched } = scope.query;
  const parameter = fetched.get(embed) ?? bind(scope, value);
  fetched.set(embed, parameter);
  return parameter;
}

/** Adds an expression that fails for a malformed value. */
export const addCheck = ({ query: { checks } }: Scope, sql: string): void => {
  checks.push(sql);
};

/** The expressions added so far as one condition after a keyword such as `WHERE`; empty without any. */
export const checksSql = (keyword: string, { query: { checks } }: Scope): string =>
  checks.length === 0 ? '' : ` ${keyword} ${checks.map((sql) => `(${sql}) IS NOT NULL`).join(' AND ')}`;

/**
 * The finished query.
 * @throws {Rejection} PM400 for more values than a statement can have
 */
export function finished(text: string, { query: { values, slots, texts } }: Scope): SqlQuery {
  if (values.length > limits.values) reject(tooMany(`more than ${limits.values} values in a statement`));
  return { text, values, isShaped: true, ...(slots.size > 0 && { slots, texts }) };
}

/** A quoted identifier, which is safe with any content. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
