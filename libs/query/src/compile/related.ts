// Fields of single related records: within the service by a subquery, across services from the values that were fetched.

import { fetchedName, type FetchedField } from '../plan/semi-join-keys.js';
import type { PlannedEmbed, PlannedField, ReadNode } from '../plan/read-plan.js';
import { idField } from '../plan/columns.js';
import { whereSql } from './condition.js';
import { columnSql, fieldSql, joinSql, periodSql, tableSql } from './field.js';
import { bind, bindFetched, innerScope, type Scope } from './scope.js';

/** The field at the end of a chain of to-one relations; null if there is no record. */
export function relatedSql(
  [first, ...others]: readonly PlannedEmbed[],
  field: PlannedField,
  scope: Scope,
): string {
  if (first === undefined) return fieldSql(field, scope);
  if (first.isCrossService) return fetchedSql(first, { through: others, field }, scope);
  const inner = innerScope(scope);
  return `(SELECT ${relatedSql(others, field, inner)} ${fromSql(first, scope, inner)}${oneOrNoneSql(first.node)})`;
}

function fetchedSql(embed: PlannedEmbed, fetched: FetchedField, scope: Scope): string {
  const record = `${fetchedRecords(embed, scope)} -> ${columnSql(embed.relation.here, scope)}::text`;
  const { unit, column, type } = fetched.field;
  const text = `(${record} ->> ${bind(scope, fetchedName(embed.node, fetched))}::text)`;
  return unit === undefined ? `${text}::${type.sqlType}` : periodSql(unit, `${text}::${column.type.sqlType}`);
}

/** Whether a chain of relations leads to a record. */
export function isThereSql(through: readonly PlannedEmbed[], scope: Scope): string {
  const [first, ...others] = through;
  if (first?.isCrossService === true && others.length === 0)
    return `${fetchedRecords(first, scope)} ? ${columnSql(first.relation.here, scope)}::text`;
  const last = through.at(-1) as PlannedEmbed;
  return `${relatedSql(through, idField(last.node.resource), scope)} IS NOT NULL`;
}

function fetchedRecords(embed: PlannedEmbed, scope: Scope): string {
  const values = scope.semiJoinKeys?.values.get(embed);
  if (values === undefined) throw new Error(`the records of ${embed.key} were not fetched`);
  return `${bindFetched(scope, embed, values)}::jsonb`;
}

/** FROM and WHERE of the related records of the row outside. */
export const fromSql = (embed: PlannedEmbed, outer: Scope, inner: Scope): string =>
  `FROM ${tableSql(embed.node, inner)} WHERE ${whereSql(joinSql(embed, outer, inner), embed.node.where, inner)}`;

/** Whether the limit or the offset of a to-one embed excludes its only record. */
export const excludesOne = ({ limit, offset }: ReadNode): boolean => offset > 0 || limit === 0;

/** The LIMIT clause of a to-one embed, with a space before it; empty if its page contains the record. */
export const oneOrNoneSql = (node: ReadNode): string => (excludesOne(node) ? ' LIMIT 0' : '');
