// Fields of single related records: of the same service by a subquery, of another one as that one told them.

import { toldText } from '../plan/known.js';
import type { PlannedEmbed, PlannedField } from '../plan/planned.js';
import { planField } from '../plan/columns.js';
import { whereSql } from './condition.js';
import { columnSql, fieldSql, joinSql, tableSql } from './field.js';
import { bind, innerScope } from './statement.js';
import type { Scope } from './statement.js';

/** The field that relations lead to, one behind the other, each to one record; null where there is none. */
export function relatedSql(
  [first, ...others]: readonly PlannedEmbed[],
  field: PlannedField,
  scope: Scope,
): string {
  if (first === undefined) return fieldSql(field, scope);
  if (first.isForeign) return toldSql(first, { through: others, field }, scope);
  const inner = innerScope(scope);
  return `(SELECT ${relatedSql(others, field, inner)} ${fromSql(first, scope, inner)})`;
}

function toldSql(
  embed: PlannedEmbed,
  told: { through: readonly PlannedEmbed[]; field: PlannedField },
  scope: Scope,
): string {
  const record = `${toldRecords(embed, scope)} -> ${columnSql(embed.relation.here, scope)}::text`;
  return `(${record} ->> ${bind(scope, toldText(embed, told))}::text)::${told.field.type.sqlType}`;
}

/** Whether relations lead to a record. */
export function isThereSql(through: readonly PlannedEmbed[], scope: Scope): string {
  const [first, ...others] = through;
  if (first?.isForeign === true && others.length === 0)
    return `${toldRecords(first, scope)} ? ${columnSql(first.relation.here, scope)}::text`;
  return `${relatedSql(through, idOf(through), scope)} IS NOT NULL`;
}

/** What tells whether there is a record at the end. */
export const idOf = (through: readonly PlannedEmbed[]): PlannedField =>
  planField((through.at(-1) as PlannedEmbed).level.resource, { name: 'id', path: [] });

function toldRecords(embed: PlannedEmbed, scope: Scope): string {
  const values = scope.known?.values.get(embed);
  if (values === undefined) throw new Error(`the records of ${embed.key} are not known`);
  // It may be large, and is sent once.
  const known = scope.values.indexOf(values);
  return `${known < 0 ? bind(scope, values) : `$${known + 1}`}::jsonb`;
}

/** FROM and WHERE of a relation's records that belong to the row outside. */
export const fromSql = (embed: PlannedEmbed, outer: Scope, inner: Scope): string =>
  `FROM ${tableSql(embed.level.resource, inner)} WHERE ${whereSql(joinSql(embed, outer, inner), embed.level.where, inner)}`;
