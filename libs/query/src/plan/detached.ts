// Columns whose values are not part of the record.

import { schemaOf } from '@practice/core';
import type { Column, Resource } from '@practice/resource';

/**
 * The transaction setting with the values that only this response shows: record → column → value, as JSON. The values are secrets, so
 * no table contains them.
 */
export const ONE_TIME_SECRETS_SETTING = 'app.given';

/**
 * SQL for a column that the record does not have.
 * @param table the alias of the record's table
 */
export type DetachedSql = (table: string) => string;

/** The SQL for the value of a column that is not part of the record; undefined for a column of the record. */
export function detachedOf({ service }: Resource, name: string, column: Column): DetachedSql | undefined {
  const { beside, isOneTimeSecret, kind } = column;
  if (isOneTimeSecret === true)
    return (table) =>
      `(nullif(current_setting('${ONE_TIME_SECRETS_SETTING}', true), '')::jsonb -> ${table}.id::text ->> '${name}')::${kind.sqlType}`;
  if (beside === undefined) return undefined;
  const from = `"${schemaOf(service)}"."${beside}"`;
  return (table) =>
    `(SELECT b."${name}" FROM ${from} AS b WHERE b.therapist_id = ${table}.therapist_id AND b.id = ${table}.id)`;
}
