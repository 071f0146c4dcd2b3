// Blanks personal values in read tables and replaced versions. A value belongs to the client about whom it was written: when a record
// moved to another client, values from before are still about the first one. So the log decides what is erased, and the
// tables become what a rebuild folds.

import { logTable, type Statement } from '@practice/log';
import { keepsVersions, personalOf, visibleColumns, type Resource } from '@practice/resource';
import { tableOf, versionsTableOf } from '@practice/storage';
import { isAffected, isErasedIn, type Erasing } from './erasing.js';

/** Statements for the tables of a resource with personal columns. */
export function blankRows(resource: Resource, erasing: Erasing): Statement[] {
  const values = [erasing.therapistId, erasing.client];
  const present = { table: tableOf(resource), key: ['id'], json: ', _json = gone._json' };
  const replaced = { table: versionsTableOf(resource), key: ['id', 'version'], json: '' };
  return [present, ...(keepsVersions(resource) ? [replaced] : [])].map((target) => ({
    text: blankText(resource, target, erasing),
    values,
  }));
}

interface Target {
  readonly table: string;
  /** The columns that identify a row of a practice. */
  readonly key: readonly string[];
  /** SQL that sets the stored JSON. */
  readonly json: string;
}

function blankText(resource: Resource, { table, key, json }: Target, erasing: Erasing): string {
  const names = personalOf(resource)?.names ?? [];
  const visible = visibleColumns(resource).map(([name]) => name);
  const kept = visible.filter((name) => !names.includes(name));
  const blank = names.map(
    (name) =>
      `CASE WHEN ${isValueErased(resource, name, erasing)} THEN NULL ELSE t."${name}" END AS "${name}"`,
  );
  const members = visible.map((name) => memberOf(resource, name)).join(', ');
  return `WITH streams AS MATERIALIZED (
  SELECT DISTINCT e.stream_id FROM ${logTable(erasing.service, 'events')} AS e
  WHERE e.therapist_id = $1 AND e.aggregate = '${resource.aggregate}' AND ${isAffected(erasing)}
), blank AS MATERIALIZED (
  SELECT ${[...kept.map((name) => `t."${name}"`), ...blank].join(', ')}, t.version
  FROM streams JOIN ${table} AS t ON t.therapist_id = $1 AND t.id = streams.stream_id
), gone AS (
  SELECT blank.*, (SELECT row_to_json(r)::text FROM (SELECT ${members}) AS r) AS _json FROM blank
)
UPDATE ${table} AS t SET ${names.map((name) => `"${name}" = gone."${name}"`).join(', ')}${json} FROM gone
WHERE t.therapist_id = $1 AND ${key.map((name) => `t."${name}" = gone."${name}"`).join(' AND ')}`;
}

/** SQL for whether the value that a row `t` has in a column is erased: the last event that set it says whose value it is. */
const isValueErased = ({ aggregate }: Resource, name: string, erasing: Erasing): string =>
  `coalesce((SELECT ${isErasedIn('e.data', erasing)} FROM ${logTable(erasing.service, 'events')} AS e
    WHERE e.therapist_id = $1 AND e.stream_id = t.id AND e.aggregate = '${aggregate}' AND e.version <= t.version AND e.data ? '${name}'
    ORDER BY e.version DESC LIMIT 1), false)`;

/** SQL for a member of the stored JSON, as reads show the column. */
function memberOf({ columns }: Resource, name: string): string {
  const column = `blank."${name}"`;
  const shown = columns[name]?.kind.shown;
  return shown === undefined ? column : `${shown(column)} AS "${name}"`;
}
