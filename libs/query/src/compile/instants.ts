// Rows with the instants of their wall times. The stored instants are valid while the practice has the zone in which they were computed.
// After a change of the zone they are computed here, by the rules of Temporal as in `@practice/zone`.

import { schemaOf } from '@practice/core';
import { entries, versionsName, visibleColumns, type Instants, type Resource } from '@practice/resource';
import { PRACTICE, quoted, type Parameter, type Scope } from './scope.js';

/**
 * The rows of a resource with instants, as a subquery. Postgres pulls it up, so that it computes only the columns that a statement uses.
 * @param rows the stored rows of the moment that the query is about
 * @param instant the parameter of that moment; null for the present; absent for replaced versions in the present zone. Past rows do not
 *   say in which zone they were computed
 */
export function withInstantsSql(resource: Resource, rows: string, instant?: Parameter | null): string {
  const { instants } = resource;
  if (instants === undefined) return rows;
  const isPast = instant !== null;
  const zone = zoneSql(resource, instants, instant ?? null);
  const isCurrent = isPast ? null : `${ownSql(instants.zone)} = ${zone}`;
  const current = (column: string, computed: string): string =>
    isCurrent === null ? computed : `CASE WHEN ${isCurrent} THEN ${ownSql(column)} ELSE ${computed} END`;
  const computed = computedIn(resource, instants, zone);
  const shown = isPast ? visibleColumns(resource) : entries(resource.columns);
  const columns = shown.map(([name]) => {
    const own = computed.columns[name];
    return own === undefined ? ownSql(name) : `${current(name, own)} AS ${quoted(name)}`;
  });
  const json = isPast ? [] : [`${current('_json', computed.json)} AS _json`];
  return `(SELECT ${[...columns, 'a.version', ...json].join(', ')} FROM ${rows} AS a)`;
}

const ownSql = (name: string): string => `a.${quoted(name)}`;

/**
 * SQL for the instants by column, and for the stored JSON with them; see `instantFunctions`. An instant beyond the years that
 * responses have is null.
 */
function computedIn({ service }: Resource, instants: Instants, zone: string) {
  const schema = quoted(schemaOf(service));
  const [day, from, to] = [ownSql(instants.day), ownSql(instants.from), ownSql(instants.to)];
  const columns: Readonly<Record<string, string>> = {
    [instants.start]: `${schema}.start_instant(${day}, ${from}, ${zone})`,
    [instants.end]: `${schema}.end_instant(${day}, ${from}, ${to}, ${zone})`,
  };
  const members = `'${instants.start}', '${instants.end}'`;
  const json = `${schema}.with_instants(a._json, ${members}, ${day}, ${from}, ${to}, ${zone})`;
  return { columns, json };
}

/** The version of a record; negative if its instants may have changed since, with the settings that have the zone. */
export function versionSql({ service, instants }: Resource, { table }: Scope): string {
  const version = `${table}."version"`;
  if (instants === undefined) return version;
  const { resource: settings } = instants.zoneOf;
  const of = (time: string, name: string): string =>
    `(SELECT ${time} FROM ${quoted(schemaOf(service))}.${quoted(name)} AS z WHERE z.therapist_id = ${PRACTICE})`;
  // An undo of the first change of the settings leaves no settings.
  const changed = `coalesce(${of('z.updated_at', settings)}, ${of('max(z.replaced_at)', versionsName(settings))})`;
  return `CASE WHEN ${table}.updated_at <= ${changed} THEN -${version} ELSE ${version} END`;
}

/** The zone of the practice. A practice that has never set its zone is in UTC. */
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
