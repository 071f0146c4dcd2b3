// The record of a resource that a practice has from the start: the stored row, or the defaults until its first change.

import { schemaOf } from '@practice/core';
import { entries, visibleColumns, type Resource, type Value } from '@practice/resource';
import { untilSql } from './history.js';
import { PRACTICE, quoted, type Parameter } from './scope.js';

/** The value of `created_at` and `updated_at` in a record that was never changed. */
const FROM_THE_START = '1970-01-01T00:00:00+00:00';

/**
 * The rows of such a resource, as a subquery.
 * @param rows the stored rows of the moment that the query is about
 * @param instant the parameter of that moment; null for the present, where the rows have the JSON of the record as well
 */
export function fromStartSql(resource: Resource, rows: string, instant: Parameter | null): string {
  const columns = visibleColumns(resource).map(([name]) => quoted(name));
  const json = instant === null ? ['_json'] : [];
  const stored = `SELECT ${[...columns, 'version', ...json].join(', ')} FROM ${rows} AS s`;
  const shown = visibleColumns(resource).map(([name]) => `d.${quoted(name)}`);
  const asJson = `(SELECT row_to_json(j)::text FROM (SELECT ${shown.join(', ')}) AS j)`;
  const defaults = `SELECT ${[...shown, versionSql(resource, instant), ...(instant === null ? [asJson] : [])].join(', ')}
FROM (SELECT ${defaultsOf(resource)}) AS d
WHERE NOT EXISTS (SELECT FROM ${rows} AS s WHERE s.therapist_id = ${PRACTICE}::uuid)`;
  return `(${stored} UNION ALL ${defaults})`;
}

const defaultsOf = (resource: Resource): string =>
  entries(resource.columns)
    .filter(([, { internal }]) => internal !== true)
    .map(
      ([name, { kind, default: preset }]) =>
        `${defaultSql(name, preset)}::${kind.sqlType} AS ${quoted(name)}`,
    )
    .join(', ');

function defaultSql(name: string, preset: Value | undefined): string {
  if (name === 'id' || name === 'therapist_id') return PRACTICE;
  if (name === 'created_at' || name === 'updated_at') return `'${FROM_THE_START}'`;
  return preset === undefined || preset === null ? 'NULL' : `'${String(preset).replaceAll("'", "''")}'`;
}

/** An undo of the first change leaves a stream without a record. The next change continues it. */
const versionSql = ({ service, aggregate }: Resource, instant: Parameter | null): string =>
  `(SELECT coalesce(max(e.version), 0) FROM ${quoted(schemaOf(service))}.events AS e
WHERE e.therapist_id = ${PRACTICE}::uuid AND e.aggregate = '${aggregate}' AND e.stream_id = ${PRACTICE}::uuid${untilSql(instant)})::integer`;
