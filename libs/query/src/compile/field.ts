// Names: tables, columns, and how the rows of two tables are joined.

import { schemaOf } from '@practice/core';
import type { Resource } from '@practice/resource';
import type { PlannedEmbed, PlannedField } from '../plan/read-plan.js';
import { bind, PRACTICE, quoted } from './scope.js';
import type { Scope } from './scope.js';

/** The table of a resource, with the alias of the scope. */
export const tableSql = ({ service, name }: Resource, { table }: Scope): string =>
  `${quoted(schemaOf(service))}.${quoted(name)} AS ${table}`;

export const columnSql = (name: string, { table }: Scope): string => `${table}.${quoted(name)}`;

/** A column, or a path into its JSON, as filters and orders compare it. */
export function fieldSql({ column, path }: PlannedField, scope: Scope): string {
  const own = columnSql(column.name, scope);
  if (path.length === 0) return own;
  const document = column.type.sqlType === 'jsonb' ? own : `to_jsonb(${own})`;
  const steps = path.map(({ asText, key }) => {
    const type = typeof key === 'number' ? 'integer' : 'text';
    return `${asText ? '->>' : '->'} ${bind(scope, String(key))}::${type}`;
  });
  return `(${document} ${steps.join(' ')})`;
}

/** The condition on every row of a scope's table: it belongs to the practice. */
export const ownSql = ({ table }: Scope): string => `${table}.therapist_id = ${PRACTICE}`;

/** The condition on every embedded row: it belongs to the practice and to the row outside. */
export const joinSql = ({ relation }: PlannedEmbed, outer: Scope, inner: Scope): string =>
  `${ownSql(inner)} AND ${columnSql(relation.there, inner)} = ${columnSql(relation.here, outer)}`;
