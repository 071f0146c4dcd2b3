import type { BoundKeys } from '../plan/semi-join-keys.js';

/** One statement: SQL whose text depends on the shape of the request alone, and the values for its parameters. */
export interface SqlQuery {
  readonly text: string;
  /** For `$1`, `$2`, …, as text: Postgres reads each as the type of what it is compared with. */
  readonly values: readonly string[];
}

/** Where SQL is being written: the table it speaks of, and the statement's values so far. */
export interface Scope {
  /** The table's name in the statement: `t`, and `t1`, `t2`, … for levels embedded in it. */
  readonly table: string;
  readonly depth: number;
  readonly values: string[];
  /** What is known of other services' records. */
  readonly semiJoinKeys: BoundKeys | null;
}

/** The scope of a practice's statement: the practice is its first parameter. */
export const rootScope = (therapistId: string, semiJoinKeys: BoundKeys | null = null): Scope => ({
  table: 't',
  depth: 0,
  values: [therapistId],
  semiJoinKeys,
});

/** The parameter that every condition on a table begins with. */
export const PRACTICE = '$1';

/** The scope of a node embedded in this one. */
export const innerScope = ({ depth, values, semiJoinKeys }: Scope): Scope => ({
  table: `t${depth + 1}`,
  depth: depth + 1,
  values,
  semiJoinKeys,
});

/** Adds a value; returns the parameter that stands for it. */
export function bind({ values }: Scope, value: string): string {
  values.push(value);
  return `$${values.length}`;
}

/** An identifier, safe whatever it holds. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A Postgres array literal of texts: one parameter, however many elements. */
export const arrayLiteral = (elements: readonly string[]): string =>
  `{${elements.map((element) => `"${element.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`).join(',')}}`;
