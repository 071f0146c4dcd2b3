// Blanks personal values in read tables and replaced versions. A value belongs to the client about whom it was written. When a record
// has moved to another client, earlier values still belong to the first one. So the log decides which values are erased, and the
// tables end up in the same state as after a rebuild.

import { logTable, type Statement } from '@practice/log';
import { keepsVersions, personalOf, visibleColumns, type Resource } from '@practice/resource';
import { tableOf, versionsTableOf } from '@practice/storage';
import { isAffected, isErasedIn, type Erasing } from './erasing.js';

/** The statements that blank the tables of a resource with personal columns. */
export function blankRows(resource: Resource, erasing: Erasing): Statement[] {
  const values = [erasing.therapistId, [erasing.client]];
  const present = { table: tableOf(resource), key: ['id'], json: ', _json = gone._json' };
  const replaced = { table: versionsTableOf(resource), key: ['id', 'version'], json: '' };
  return [present, ...(keepsVersions(resource) ? [replaced] : [])].map((target) => ({
    text: blankText(resource, target),
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

function blankText(resource: Resource, { table, key, json }: Target): string {
  const names = personalOf(resource)?.names ?? [];
  const visible = visibleColumns(resource).map(([name]) => name);
  const kept = visible.filter((name) => !names.includes(name));
  const blank = names.map(
    (name) => `CASE WHEN ${isValueErased(resource, name)} THEN NULL ELSE t."${name}" END AS "${name}"`,
  );
  const members = visible.map((name) => memberOf(resource, name)).join(', ');
  return `WITH streams AS MATERIALIZED (
  SELECT DISTINCT e.stream_id FROM ${logTable(resource.service, 'events')} AS e
  WHERE e.therapist_id = $1 AND e.aggregate = '${resource.aggregate}' AND ${isAffected}
), blank AS MATERIALIZED (
  SELECT ${[...kept.map((name) => `t."${name}"`), ...blank].join(', ')}, t.version
  FROM streams JOIN ${table} AS t ON t.therapist_id = $1 AND t.id = streams.stream_id
), gone AS (
  SELECT blank.*, (SELECT row_to_json(r)::text FROM (SELECT ${members}) AS r) AS _json FROM blank
)
UPDATE ${table} AS t SET ${names.map((name) => `"${name}" = gone."${name}"`).join(', ')}${json} FROM gone
WHERE t.therapist_id = $1 AND ${key.map((name) => `t."${name}" = gone."${name}"`).join(' AND ')}`;
}

/** SQL for whether the value of a column in a row `t` is to be erased. The last event that set the value has its client. */
const isValueErased = ({ aggregate, service }: Resource, name: string): string =>
  `coalesce((SELECT ${isErasedIn('e.data')} FROM ${logTable(service, 'events')} AS e
    WHERE e.therapist_id = $1 AND e.stream_id = t.id AND e.aggregate = '${aggregate}' AND e.version <= t.version AND e.data ? '${name}'
    ORDER BY e.version DESC LIMIT 1), false)`;

/** SQL for a member of the stored JSON, with the value in the form that reads return. */
function memberOf({ columns }: Resource, name: string): string {
  const column = `blank."${name}"`;
  const shown = columns[name]?.kind.shown;
  return shown === undefined ? column : `${shown(column)} AS "${name}"`;
}
