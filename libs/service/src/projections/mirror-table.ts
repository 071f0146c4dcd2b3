// What a service remembers of other services' records: enough to check references and to react, no more.

import { schemaOf } from '@practice/core';
import type { RecordedEvent } from '@practice/core';
import type { Statement, TextRow } from '@practice/event-store';
import { evolve } from '@practice/resource';
import type { Fact, Lookup, Resource, Row } from '@practice/resource';
import type { Departed } from '../references/deletion-barrier.js';

/** resource of another service → the columns of it that this one needs; its id always */
export type Mirrored = Readonly<Record<string, readonly string[]>>;

/** A mirrored record; the row is null once the record is deleted. */
export interface MirrorRow {
  readonly resource: string;
  readonly id: string;
  /** The version of the record's stream: an event of this version or an older one has had its effect. */
  readonly version: number;
  readonly row: Row | null;
}

/** SQL for the mirror of a service. */
export const mirrorOf = (service: string): string => `"${schemaOf(service)}".mirror`;

/** The mirrored records a lookup names, deleted ones left out. */
export function selectMirrored(service: string, therapistId: string, lookup: Lookup): Statement {
  const { resource, column, values, limit } = lookup;
  const match = column === 'id' ? 'id = wanted.value::uuid' : `data ->> '${column}' = wanted.value`;
  return {
    text: `SELECT r.* FROM unnest($3::text[]) AS wanted(value), LATERAL (
  SELECT id, version, data FROM ${mirrorOf(service)}
  WHERE therapist_id = $1 AND resource = $2 AND ${match} AND data IS NOT NULL${limit === undefined ? '' : ` LIMIT ${limit}`}
) r`,
    values: [therapistId, resource, values],
  };
}

/** One record, deleted or not. */
export const selectMirrorRow = (
  service: string,
  therapistId: string,
  record: { resource: string; id: string },
): Statement => ({
  text: `SELECT id, version, data FROM ${mirrorOf(service)} WHERE therapist_id = $1 AND resource = $2 AND id = $3`,
  values: [therapistId, record.resource, record.id],
});

/** One of these of which the mirror has not seen that version yet, if there is one. */
export const selectUnheard = (
  service: string,
  therapistId: string,
  { resource, ids, versions }: Departed,
): Statement => ({
  text: `SELECT id FROM unnest($3::uuid[], $4::integer[]) AS gone(id, version)
WHERE NOT EXISTS (
  SELECT FROM ${mirrorOf(service)} m
  WHERE m.therapist_id = $1 AND m.resource = $2 AND m.id = gone.id AND m.version >= gone.version
) LIMIT 1`,
  values: [therapistId, resource, ids, versions],
});

/** Remembers what an event made of these. */
export const mirrorRows = (service: string, therapistId: string, rows: readonly MirrorRow[]): Statement =>
  insertRows(
    { service, therapistId },
    rows,
    `UPDATE SET version = excluded.version, data = excluded.data WHERE mirror.version < excluded.version`,
  );

/**
 * Remembers these where nothing is known of them. What is known already is left to their events, late as they may be:
 * those would find their version here and not have their effect.
 */
export const mirrorNewRows = (service: string, therapistId: string, rows: readonly MirrorRow[]): Statement =>
  insertRows({ service, therapistId }, rows, 'NOTHING');

/** In the order of the key, as whoever follows events inserts as well: who waits for the other's row then holds none it wants. */
function insertRows(
  { service, therapistId }: { service: string; therapistId: string },
  rows: readonly MirrorRow[],
  onConflict: string,
): Statement {
  const records = rows.map(({ resource, id, version, row }) => ({ resource, id, version, data: row }));
  return {
    text: `INSERT INTO ${mirrorOf(service)} (therapist_id, resource, id, version, data)
SELECT $1::uuid, resource, id, version, nullif(data, 'null'::jsonb)
FROM json_to_recordset($2::json) AS r(resource text, id uuid, version integer, data jsonb)
ORDER BY resource, id
ON CONFLICT (therapist_id, resource, id) DO ${onConflict}`,
    values: [therapistId, JSON.stringify(records)],
  };
}

/** Rows of the mirror as records of a resource. */
export function readMirrorRows(resource: string, rows: readonly TextRow[]): MirrorRow[] {
  return rows.map(([id, version, data]) => ({
    resource,
    id: String(id),
    version: Number(version),
    row: data === null || data === undefined ? null : { ...(JSON.parse(data) as Row), id: String(id) },
  }));
}

/** What a mirror keeps of a record. */
export const narrowed = (row: object, columns: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => columns.includes(name)));

/** What the mirror has of a record after one more event; null once the record is deleted. */
export function mirrored(
  resource: Resource,
  { before, event, columns }: { before: Row | null; event: StreamFact; columns: Mirrored },
): Row | null {
  const after = evolve(resource, before, event);
  return after === null ? null : { ...narrowed(after, columns[resource.name] ?? []), id: event.streamId };
}

type StreamFact = Fact & Pick<RecordedEvent, 'streamId'>;
