// The condition that a row comes after another row in an order of several columns.

import type { PageStart } from '../plan/paging.js';
import { bind, type Scope } from './scope.js';

/** The row that a page begins after; in a shape, `slot` is the place of its position among the values of the request. */
export interface CompiledStart extends PageStart {
  readonly slot?: number;
}

/** A term of the order. */
export interface OrderedKey {
  readonly sql: string;
  /** Its type in SQL. */
  readonly type: string;
  readonly isDescending: boolean;
  readonly areNullsFirst: boolean;
  readonly isNullable: boolean;
}

/** A term with the value of the row that the page begins after: the SQL of a parameter, or null for NULL. */
interface Compared extends OrderedKey {
  readonly value: string | null;
}

/**
 * The condition on the rows of a page. The first terms are also compared as one row, so that an index scan can begin at the start.
 * @param keys the last one identifies a row
 */
export function keysetSql(
  keys: readonly OrderedKey[],
  { key: values, slot }: CompiledStart,
  scope: Scope,
): string {
  const compared = keys.map((key, index): Compared => {
    const value = values[index] ?? null;
    if (value === null) return { ...key, value };
    const parameter = bind(scope, value, slot === undefined ? undefined : slot + 1 + index);
    return { ...key, value: `${parameter}::${key.type}` };
  });
  const run = uniform(compared);
  if (run.length === compared.length) return rowSql(run, '');
  return `(${run.length === 0 ? '' : `${rowSql(run, '=')} AND `}${behindSql(compared)})`;
}

/** The first terms that are never null and have one direction. */
function uniform(keys: readonly Compared[]): readonly Compared[] {
  const end = keys.findIndex(
    ({ isNullable, isDescending }) => isNullable || isDescending !== keys[0]?.isDescending,
  );
  return end < 0 ? keys : keys.slice(0, end);
}

const operatorOf = ({ isDescending }: OrderedKey): string => (isDescending ? '<' : '>');

const rowSql = (keys: readonly Compared[], orEqual: '' | '='): string =>
  `(${keys.map(({ sql }) => sql).join(', ')}) ${operatorOf(keys[0] as Compared)}${orEqual} (${keys.map(({ value }) => value).join(', ')})`;

function behindSql([first, ...others]: readonly Compared[]): string {
  if (first === undefined) return 'false';
  const behind = laterSql(first);
  if (others.length === 0) return behind;
  const equal = first.value === null ? `${first.sql} IS NULL` : `${first.sql} = ${first.value}`;
  return `(${behind} OR (${equal} AND ${behindSql(others)}))`;
}

/** The condition that a row comes later by this term, whatever the other terms are. */
function laterSql(key: Compared): string {
  const { sql, value, isNullable, areNullsFirst } = key;
  if (value === null) return areNullsFirst ? `${sql} IS NOT NULL` : 'false';
  const later = `${sql} ${operatorOf(key)} ${value}`;
  return isNullable && !areNullsFirst ? `(${later} OR ${sql} IS NULL)` : later;
}
