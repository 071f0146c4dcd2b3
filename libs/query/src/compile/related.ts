// Fields of single related records: of the same service by a subquery, of another one as that one fetched them.

import { fetchedName } from '../plan/semi-join-keys.js';
import type { PlannedEmbed, PlannedField } from '../plan/read-plan.js';
import { planField } from '../plan/columns.js';
import { whereSql } from './condition.js';
import { columnSql, fieldSql, joinSql, tableSql } from './field.js';
import { bind, innerScope } from './scope.js';
import type { Scope } from './scope.js';

/** The field that relations lead to, one behind the other, each to one record; null where there is none. */
export function relatedSql(
  [first, ...others]: readonly PlannedEmbed[],
  field: PlannedField,
  scope: Scope,
): string {
  if (first === undefined) return fieldSql(field, scope);
  if (first.isCrossService) return fetchedSql(first, { through: others, field }, scope);
  const inner = innerScope(scope);
  return `(SELECT ${relatedSql(others, field, inner)} ${fromSql(first, scope, inner)})`;
}

function fetchedSql(
  embed: PlannedEmbed,
  fetched: { through: readonly PlannedEmbed[]; field: PlannedField },
  scope: Scope,
): string {
  const record = `${fetchedRecords(embed, scope)} -> ${columnSql(embed.relation.here, scope)}::text`;
  return `(${record} ->> ${bind(scope, fetchedName(embed.node, fetched))}::text)::${fetched.field.type.sqlType}`;
}

/** Whether relations lead to a record. */
export function isThereSql(through: readonly PlannedEmbed[], scope: Scope): string {
  const [first, ...others] = through;
  if (first?.isCrossService === true && others.length === 0)
    return `${fetchedRecords(first, scope)} ? ${columnSql(first.relation.here, scope)}::text`;
  return `${relatedSql(through, idOf(through), scope)} IS NOT NULL`;
}

/** What tells whether there is a record at the end. */
export const idOf = (through: readonly PlannedEmbed[]): PlannedField =>
  planField((through.at(-1) as PlannedEmbed).node.resource, { name: 'id', path: [] });

function fetchedRecords(embed: PlannedEmbed, scope: Scope): string {
  const values = scope.semiJoinKeys?.values.get(embed);
  if (values === undefined) throw new Error(`the records of ${embed.key} are not known`);
  // It may be large, and is sent once.
  const known = scope.values.indexOf(values);
  return `${known < 0 ? bind(scope, values) : `$${known + 1}`}::jsonb`;
}

/** FROM and WHERE of a relation's records that belong to the row outside. */
export const fromSql = (embed: PlannedEmbed, outer: Scope, inner: Scope): string =>
  `FROM ${tableSql(embed.node.resource, inner)} WHERE ${whereSql(joinSql(embed, outer, inner), embed.node.where, inner)}`;
