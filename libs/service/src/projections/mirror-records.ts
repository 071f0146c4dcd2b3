// SQL for records of the mirror of whatever practice, for the role that follows events and so sees all of them.

import type { Statement, TextRow } from '@practice/event-store';
import type { Row } from '@practice/resource';
import { mirrorOf } from './mirror-table.js';

/** Names a record of the mirror. */
export interface MirrorRecord {
  readonly therapistId: string;
  readonly resource: string;
  readonly id: string;
}

/** A record of the mirror on its way from one version to another; from 0 when it was not known. */
export interface MirrorMove extends MirrorRecord {
  readonly from: number;
  readonly version: number;
  readonly row: Row | null;
}

/** What the mirror has of these records. */
export const selectMirrorRecords = (service: string, records: readonly MirrorRecord[]): Statement => ({
  text: `SELECT therapist_id, resource, id, version, data
FROM json_to_recordset($1::json) AS r("therapistId" uuid, resource text, id uuid)
JOIN ${mirrorOf(service)} AS m USING (resource, id) WHERE m.therapist_id = "therapistId"`,
  values: [JSON.stringify(records)],
});

/** The rows of `selectMirrorRecords`. */
export const readMirrorRecords = (rows: readonly TextRow[]): MirrorMove[] =>
  rows.map(([therapistId, resource, id, version, data]) => ({
    therapistId: String(therapistId),
    resource: String(resource),
    id: String(id),
    from: Number(version),
    version: Number(version),
    row: data == null ? null : (JSON.parse(data) as Row),
  }));

/** Moves records on, each unless it has moved meanwhile. FetchedRecords practice, resource and id of those that did. */
export const moveMirrorRows = (service: string, moves: readonly MirrorMove[]): Statement => ({
  text: `WITH moves AS (
  SELECT "therapistId" AS therapist_id, resource, id, "from", version, nullif("row", 'null'::jsonb) AS data
  FROM json_to_recordset($1::json) AS r("therapistId" uuid, resource text, id uuid, "from" integer, version integer, "row" jsonb)
), made AS (
  INSERT INTO ${mirrorOf(service)} (therapist_id, resource, id, version, data)
  SELECT therapist_id, resource, id, version, data FROM moves WHERE "from" = 0 ORDER BY 1, 2, 3
  ON CONFLICT DO NOTHING RETURNING therapist_id, resource, id
), moved AS (
  UPDATE ${mirrorOf(service)} AS m SET version = moves.version, data = moves.data FROM moves
  WHERE m.therapist_id = moves.therapist_id AND m.resource = moves.resource AND m.id = moves.id
    AND m.version = moves."from" AND moves."from" > 0
  RETURNING m.therapist_id, m.resource, m.id
)
SELECT therapist_id, resource, id FROM made UNION ALL SELECT therapist_id, resource, id FROM moved`,
  values: [JSON.stringify(moves)],
});
