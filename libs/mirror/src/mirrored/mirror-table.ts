// The mirror: the parts of other services' records that a service stores to check references and to run policies.

import type { RecordedEvent } from '@practice/core';
import type { Statement, TextRow } from '@practice/log';
import { evolve, type Fact, makeRow, type Resource, type Row } from '@practice/resource';
import { mirrorOf, marksOf, type Mirrored } from '@practice/storage';

/** Identifies a record of the mirror. */
export interface MirrorKey {
  readonly therapistId: string;
  readonly resource: string;
  readonly id: string;
}

/** The mirror's entry for a record. */
export interface MirrorEntry {
  readonly resource: string;
  readonly id: string;
  /** The version of the record's stream: every event up to it has been applied. 0 if the record is not known. */
  readonly version: number;
  /** Null if the record is not known, or deleted. */
  readonly row: Row | null;
  /** The token of its deletion mark. */
  readonly mark: string | null;
}

/** The mirror's records that have a value in a column other than the id. */
export interface MirrorMatch {
  readonly resource: string;
  readonly column: string;
  readonly value: string;
  readonly rows: readonly Row[];
}

/** The mirror's answer to one question of a decision; the owner of the records may have a newer one. */
export type MirrorAnswer = MirrorEntry | MirrorMatch;

/** The move of a mirrored record from one version to another; `from` is 0 if the record was not known. */
export interface MirrorMove extends MirrorKey {
  readonly from: number;
  readonly version: number;
  readonly row: Row | null;
}

/** Selects an entry for each of these records, with its deletion mark. A row is the index of the record, from 1, then its columns. */
export const selectEntries = (
  service: string,
  resource: string,
  records: readonly { readonly therapistId: string; readonly key: string }[],
): Statement => ({
  text: `SELECT wanted.index, wanted.id, m.version, m.data, d.token
FROM unnest($2::uuid[], $3::uuid[]) WITH ORDINALITY AS wanted(therapist_id, id, index)
LEFT JOIN ${mirrorOf(service)} AS m ON m.therapist_id = wanted.therapist_id AND m.resource = $1 AND m.id = wanted.id
LEFT JOIN ${marksOf(service)} AS d ON d.therapist_id = wanted.therapist_id AND d.resource = $1 AND d.id = wanted.id`,
  values: [resource, records.map(({ therapistId }) => therapistId), records.map(({ key }) => key)],
});

/** The rows of `selectEntries`, without the index. */
export const readEntries = (resource: string, rows: readonly TextRow[]): MirrorEntry[] =>
  rows.map(([id, version, data, token]) => ({
    resource,
    id: String(id),
    version: Number(version ?? 0),
    row: rowOf(id, data),
    mark: token ?? null,
  }));

/**
 * Selects the records that have these values in a column. A row is the index of the value, from 1, then the id and the columns.
 * It reads all records of the resource in a practice, so it is for resources with few records.
 */
export const selectMatches = (
  service: string,
  { resource, column }: Pick<MirrorMatch, 'resource' | 'column'>,
  wanted: readonly { readonly therapistId: string; readonly key: string }[],
): Statement => ({
  text: `SELECT wanted.index, m.id, m.data
FROM unnest($3::uuid[], $4::text[]) WITH ORDINALITY AS wanted(therapist_id, value, index)
JOIN ${mirrorOf(service)} AS m ON m.therapist_id = wanted.therapist_id AND m.resource = $1 AND m.data ->> $2 = wanted.value`,
  values: [...[resource, column], wanted.map(({ therapistId }) => therapistId), wanted.map(({ key }) => key)],
});

/** The rows of `selectMatches` for one value, without the index. */
export const readMatch = (of: Omit<MirrorMatch, 'rows'>, rows: readonly TextRow[]): MirrorMatch => ({
  rows: rows.map(([id, data]) => rowOf(id, data)).filter((row) => row !== null),
  ...of,
});

/** The mirror's rows for these records, of any practices. */
export const selectRecords = (service: string, records: readonly MirrorKey[]): Statement => ({
  text: `SELECT therapist_id, resource, id, version, data
FROM json_to_recordset($1::json) AS r("therapistId" uuid, resource text, id uuid)
JOIN ${mirrorOf(service)} AS m USING (resource, id) WHERE m.therapist_id = "therapistId"`,
  values: [JSON.stringify(records)],
});

/** The rows of `selectRecords`. */
export const readRecords = (rows: readonly TextRow[]): MirrorMove[] =>
  rows.map(([therapistId, resource, id, version, data]) => ({
    therapistId: String(therapistId),
    resource: String(resource),
    id: String(id),
    from: Number(version),
    version: Number(version),
    row: rowOf(id, data),
  }));

const rowOf = (id: string | null | undefined, data: string | null | undefined): Row | null =>
  data == null ? null : { ...(JSON.parse(data) as Row), id: String(id) };

/**
 * Moves records to their new versions, each only if it still has the version that the move starts from, and removes the marks
 * of deletions that have arrived. The result has a row `[therapist_id, resource, id]` for each record that moved.
 */
export const moveRecords = (service: string, moves: readonly MirrorMove[]): Statement => ({
  text: `WITH moves AS (
  SELECT "therapistId" AS therapist_id, resource, id, "from", version, nullif("row", 'null'::jsonb) AS data
  FROM json_to_recordset($1::json) AS r("therapistId" uuid, resource text, id uuid, "from" integer, version integer, "row" jsonb)
), made AS (
  INSERT INTO ${mirrorOf(service)} (therapist_id, resource, id, version, data)
  SELECT therapist_id, resource, id, version, data FROM moves WHERE "from" = 0 ORDER BY 1, 2, 3
  ON CONFLICT DO NOTHING RETURNING therapist_id, resource, id, version, data
), moved AS (
  UPDATE ${mirrorOf(service)} AS m SET version = moves.version, data = moves.data FROM moves
  WHERE m.therapist_id = moves.therapist_id AND m.resource = moves.resource AND m.id = moves.id
    AND m.version = moves."from" AND moves."from" > 0
  RETURNING m.therapist_id, m.resource, m.id, m.version, m.data
), done AS (
  SELECT * FROM made UNION ALL SELECT * FROM moved
), unmarked AS (
  DELETE FROM ${marksOf(service)} AS d USING done
  WHERE d.therapist_id = done.therapist_id AND d.resource = done.resource AND d.id = done.id
    AND done.data IS NULL AND d.version < done.version
)
SELECT therapist_id, resource, id FROM done`,
  values: [JSON.stringify(moves)],
});

/** The columns of a record that a mirror stores. */
export const narrowed = (row: object, columns: readonly string[]): Row =>
  makeRow(
    Object.keys(row).filter((name) => columns.includes(name)),
    (name) => (row as Row)[name] ?? null,
  );

/** The mirror's row for a record after one more event; null once the record is deleted. */
export function mirrored(
  resource: Resource,
  { before, event, columns }: { before: Row | null; event: StreamFact; columns: Mirrored },
): Row | null {
  const after = evolve(resource, before, event);
  return after === null ? null : { id: event.streamId, ...narrowed(after, columns[resource.name] ?? []) };
}

type StreamFact = Fact & Pick<RecordedEvent, 'streamId'>;
