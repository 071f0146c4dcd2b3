// The records of a resource at an instant: rows of the read table that have not changed since, and versions that were replaced since.
// Postgres pulls the union up into the statement around it, so filters and orders use the indexes of both tables.

import { schemaOf } from '@practice/core';
import { REPLACED_AT, versionsName, visibleColumns, type Resource } from '@practice/resource';
import { quoted, type Parameter } from './scope.js';

/**
 * The rows of a resource at an instant, as a subquery.
 * @param instant its parameter
 */
export function pastSql(resource: Resource, instant: Parameter): string {
  const { service, name, isPlainTable } = resource;
  const table = (of: string): string => `${quoted(schemaOf(service))}.${quoted(of)}`;
  const until = `<= ${instant}::timestamptz`;
  // Rows of a plain table are never changed.
  if (isPlainTable === true) return `(SELECT * FROM ${table(name)} WHERE at ${until})`;
  const columns = [...visibleColumns(resource).map(([column]) => quoted(column)), 'version'].join(', ');
  const present = `SELECT ${columns} FROM ${table(name)} WHERE updated_at ${until}`;
  const replaced = `SELECT ${columns} FROM ${table(versionsName(name))} WHERE updated_at ${until}`;
  return `(${present} UNION ALL ${replaced} AND ${REPLACED_AT} > ${instant}::timestamptz)`;
}
