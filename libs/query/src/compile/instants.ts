// Rows with the instants of their wall times. The stored instants hold while the practice has the zone in which they were computed;
// after a change of the zone they are computed here, by the rules of Temporal as in `@practice/zone`.

import { schemaOf } from '@practice/core';
import { entries, versionsName, visibleColumns } from '@practice/resource';
import type { Instants, Resource } from '@practice/resource';
import { PRACTICE, quoted } from './scope.js';
import type { Parameter } from './scope.js';

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
  const computed: Readonly<Record<string, string>> = {
    [instants.start]: startSql(instants, zone),
    [instants.end]: endSql(instants, zone),
  };
  const shown = instant === null ? entries(resource.columns) : visibleColumns(resource);
  const columns = shown.map(([name]) => {
    const own = computed[name];
    return own === undefined ? `a.${quoted(name)}` : `${current(name, own)} AS ${quoted(name)}`;
  });
  const json = instant === null ? [`${current('_json', jsonSql(resource, computed))} AS _json`] : [];
  return `(SELECT ${[...columns, 'a.version', ...json].join(', ')} FROM ${rows} AS a)`;
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

const startSql = (instants: Instants, zone: string): string =>
  inYears(
    instants,
    `(SELECT ${instantSql} FROM (SELECT ${wallSql(instants, 'from')} AS w, ${zone} AS z OFFSET 0) AS s)`,
  );

/** The end moves as far as the start. */
function endSql(instants: Instants, zone: string): string {
  const start = `(SELECT s.w, s.z, ${instantSql} AS i FROM (SELECT ${wallSql(instants, 'from')} AS w, ${zone} AS z OFFSET 0) AS s) AS b`;
  const end = `(SELECT ${wallSql(instants, 'to')} + ((b.i AT TIME ZONE b.z) - b.w) AS w, b.z FROM ${start} OFFSET 0) AS s`;
  return inYears(instants, `(SELECT ${instantSql} FROM ${end})`);
}

const wallSql = (instants: Instants, end: 'from' | 'to'): string =>
  `a.${quoted(instants.day)} + a.${quoted(instants[end])}`;

/** Responses have no instants beyond these years. */
const inYears = ({ day }: Instants, sql: string): string =>
  `CASE WHEN a.${quoted(day)} BETWEEN '0001-01-02' AND '9999-12-30' THEN ${sql} END`;

const before = `((s.w - interval '24 hours') AT TIME ZONE s.z) + interval '24 hours'`;

/**
 * The instant of a wall time `s.w` in a zone `s.z`. Postgres takes the second one of a wall time that happens twice. The first has
 * the offset from the day before.
 */
const instantSql = `CASE WHEN (${before}) AT TIME ZONE s.z = s.w THEN ${before} ELSE s.w AT TIME ZONE s.z END`;

function jsonSql(resource: Resource, computed: Readonly<Record<string, string>>): string {
  const members = visibleColumns(resource).map(([name, { kind }]) => {
    const own = computed[name];
    if (own !== undefined) return `${own} AS ${quoted(name)}`;
    const column = `a.${quoted(name)}`;
    return `${kind.shown?.(column) ?? column} AS ${quoted(name)}`;
  });
  return `(SELECT row_to_json(j)::text FROM (SELECT ${members.join(', ')}) AS j)`;
}
