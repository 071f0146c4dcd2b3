// Rows with the instants of their wall times. The stored instants hold while the practice has the zone in which they were computed;
// after a change of the zone they are computed here, by the rules of Temporal as in `@practice/zone`.

import { schemaOf } from '@practice/core';
import { entries, versionsName, visibleColumns, type Instants, type Resource } from '@practice/resource';
import {
  endInstantSql,
  jsonWithInstantsSql,
  startInstantSql,
  type InstantArguments,
} from './instant-functions.js';
import { PRACTICE, quoted, type Parameter } from './scope.js';

/**
 * The rows of a resource with instants, as a subquery. Postgres pulls it up, so that only what a statement uses is computed.
 * @param rows the stored rows of the moment that the query is about
 * @param instant the parameter of that moment; null for the present. Past rows do not say in which zone they were computed
 */
export function withInstantsSql(resource: Resource, rows: string, instant: Parameter | null): string {
  const { instants } = resource;
  if (instants === undefined) return rows;
  const zone = zoneSql(resource, instants, instant);
  const isCurrent = instant === null ? `a.${quoted(instants.zone)} = ${zone}` : null;
  const current = (column: string, computed: string): string =>
    isCurrent === null ? computed : `CASE WHEN ${isCurrent} THEN a.${quoted(column)} ELSE ${computed} END`;
  const schema = quoted(schemaOf(resource.service));
  const given = argumentsOf(instants, zone);
  const computed = computedIn(resource, instants, zone);
  const shown = instant === null ? entries(resource.columns) : visibleColumns(resource);
  const columns = shown.map(([name]) => {
    const own = computed[name];
    return own === undefined ? `a.${quoted(name)}` : `${current(name, own)} AS ${quoted(name)}`;
  });
  const stored = { json: 'a._json', members: [instants.start, instants.end] as const };
  const json =
    instant === null ? [`${current('_json', jsonWithInstantsSql(schema, stored, given))} AS _json`] : [];
  return `(SELECT ${[...columns, 'a.version', ...json].join(', ')} FROM ${rows} AS a)`;
}

const argumentsOf = (instants: Instants, zone: string): InstantArguments => ({
  day: `a.${quoted(instants.day)}`,
  from: `a.${quoted(instants.from)}`,
  to: `a.${quoted(instants.to)}`,
  zone,
});

/** SQL for the instants, by column. */
function computedIn(
  { service }: Resource,
  instants: Instants,
  zone: string,
): Readonly<Record<string, string>> {
  const schema = quoted(schemaOf(service));
  const given = argumentsOf(instants, zone);
  return {
    [instants.start]: startInstantSql(schema, given),
    [instants.end]: endInstantSql(schema, given),
  };
}

/** Replaced versions with their instants. They do not say in which zone these were computed. */
export function versionInstantsSql(resource: Resource, rows: string): string {
  const { instants } = resource;
  if (instants === undefined) return rows;
  const computed = computedIn(resource, instants, zoneSql(resource, instants, null));
  const columns = visibleColumns(resource).map(
    ([name]) => `${computed[name] ?? `a.${quoted(name)}`} AS ${quoted(name)}`,
  );
  return `(SELECT ${columns.join(', ')}, a.version FROM ${rows} AS a)`;
}

/** The zone of the practice. One that has never set its own is in UTC. */
function zoneSql(
  { service }: Resource,
  { zoneOf: { resource: name, column } }: Instants,
  instant: Parameter | null,
): string {
  const from = (table: string): string =>
    `SELECT z.${quoted(column)} FROM ${quoted(schemaOf(service))}.${quoted(table)} AS z WHERE z.therapist_id = ${PRACTICE}`;
  if (instant === null) return `coalesce((${from(name)}), 'UTC')`;
  const until = `AND z.updated_at <= ${instant}::timestamptz`;
  const replaced = `${from(versionsName(name))} ${until} AND z.replaced_at > ${instant}::timestamptz`;
  return `coalesce((${from(name)} ${until} UNION ALL ${replaced} LIMIT 1), 'UTC')`;
}
