// Names: tables, columns, and how the rows of two tables are joined.

import { schemaOf, type PracticeRole } from '@practice/core';
import { entries, type Resource } from '@practice/resource';
import type { PlannedColumn, PlannedEmbed, PlannedField } from '../plan/read-plan.js';
import type { TimeUnit } from '../parse/select.js';
import { fromStartSql } from './from-start.js';
import { historySql } from './history.js';
import { withInstantsSql } from './instants.js';
import { pastSql } from './past.js';
import { virtualSql } from './search.js';
import { bind, bindInstant, FIRST, PRACTICE, quoted, type Scope } from './scope.js';

/** The table of a resource, its rows at the instant of the query, or the rows of a history, with the alias of the scope. */
export const tableSql = (read: Read, scope: Scope): string => `${sourceSql(read, scope)} AS ${scope.table}`;

/** A resource, and the role of the caller who reads it. */
interface Read {
  readonly resource: Resource;
  readonly role: PracticeRole;
}

function sourceSql({ resource, role }: Read, scope: Scope): string {
  const { service, name, historyOf } = resource;
  const instant = bindInstant(scope);
  if (historyOf !== undefined) return historySql(historyOf, role, instant);
  const rows = instant === null ? `${quoted(schemaOf(service))}.${quoted(name)}` : pastSql(resource, instant);
  if (resource.fromStart === true) return fromStartSql(resource, rows, instant);
  return withInstantsSql(resource, rows, instant);
}

/** The rows in the first parameter, which is JSON, as a table with the columns of a result. */
export const recordsetSql = ({ columns }: Resource, { table }: Scope): string =>
  `json_to_recordset(${FIRST}::json) AS ${table}(${entries(columns)
    .map(([name, { kind }]) => `${quoted(name)} ${kind.sqlType}`)
    .join(', ')})`;

export const columnSql = (name: string, { table }: Scope): string => `${table}.${quoted(name)}`;

/** The value of a column. A past state has only the columns of the record. */
export const valueOfSql = ({ name, detached, virtual }: PlannedColumn, scope: Scope): string =>
  virtual !== undefined
    ? virtualSql(virtual, scope, fieldSql)
    : detached === undefined || scope.query.past !== null
      ? columnSql(name, scope)
      : detached(scope.table);

/** The SQL by which filters and orders compare a column, a path into its JSON, or its period. */
export function fieldSql({ column, path, unit }: PlannedField, scope: Scope): string {
  const own = valueOfSql(column, scope);
  if (path.length === 0) return unit === undefined ? own : periodSql(unit, own);
  const document = column.type.sqlType === 'jsonb' ? own : `to_jsonb(${own})`;
  const steps = path.map(({ asText, key }) => {
    const type = typeof key === 'number' ? 'integer' : 'text';
    return `${asText ? '->>' : '->'} ${bind(scope, String(key))}::${type}`;
  });
  return `(${document} ${steps.join(' ')})`;
}

/** The period of a date or an instant, in the time zone of the session. With the cast to `timestamp`, days of any length stay separate. */
export const periodSql = (unit: TimeUnit, sql: string): string =>
  unit === 'hour' ? `date_trunc('hour', ${sql})` : `date_trunc('${unit}', (${sql})::timestamp)::date`;

/** The condition on every row of a scope's table: it belongs to the practice. */
export const ownSql = ({ table }: Scope): string => `${table}.therapist_id = ${PRACTICE}`;

/** The condition on every embedded row: it belongs to the practice and to the row outside. */
export const joinSql = ({ relation }: PlannedEmbed, outer: Scope, inner: Scope): string =>
  `${ownSql(inner)} AND ${columnSql(relation.there, inner)} = ${columnSql(relation.here, outer)}`;
