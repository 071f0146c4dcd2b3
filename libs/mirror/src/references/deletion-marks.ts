// SQL for deletion marks. The owner of a record marks it before it asks the services that may refer to it. Each of those
// services stores the same mark in the transaction in which it found no reference, and from then on accepts a reference to the
// record only after its owner has said that this attempt was given up. The token identifies the attempt.

import type { Statement, TextRow } from '@practice/log';
import { marksOf } from '@practice/storage';

/** A record about to be deleted. */
export interface Deletion {
  readonly resource: string;
  readonly id: string;
  /** The version of its stream before the deletion. */
  readonly version: number;
}

interface PracticeLog {
  readonly service: string;
  readonly therapistId: string;
}

/** An older mark was probably left by a process that died. An attempt that still runs cannot commit without its mark. */
const ABANDONED = `clock_timestamp() - interval '10 seconds'`;

/**
 * Marks all of these records for an attempt, or none of them if another attempt is deleting one of them.
 * Run under the practice's lock. The result has one row for each record that was marked.
 */
export const markForDeletion = (log: PracticeLog, token: string, deletions: readonly Deletion[]): Statement =>
  insertMarks(
    log,
    { token, deletions },
    `WHERE NOT EXISTS (
  SELECT FROM ${marksOf(log.service)} AS other JOIN wanted AS w USING (resource, id)
  WHERE other.therapist_id = $1::uuid AND other.token <> $3::uuid AND other.marked_at > ${ABANDONED}
)`,
  );

/** Stores an owner's marks. An earlier mark of the same record belongs to an attempt that has ended. */
export const storeMarks = (log: PracticeLog, token: string, deletions: readonly Deletion[]): Statement =>
  insertMarks(log, { token, deletions }, '');

const insertMarks = (
  { service, therapistId }: PracticeLog,
  { token, deletions }: { token: string; deletions: readonly Deletion[] },
  condition: string,
): Statement => ({
  text: `WITH wanted AS (
  SELECT * FROM json_to_recordset($2::json) AS r(resource text, id uuid, version integer)
)
INSERT INTO ${marksOf(service)} (therapist_id, resource, id, token, version, marked_at)
SELECT $1::uuid, resource, id, $3::uuid, version, clock_timestamp() FROM wanted ${condition}
ORDER BY resource, id
ON CONFLICT (therapist_id, resource, id) DO UPDATE
SET token = excluded.token, version = excluded.version, marked_at = excluded.marked_at
RETURNING id`,
  values: [therapistId, JSON.stringify(deletions), token],
});

/** Removes the marks of these attempts. The result has a row `[resource, id]` for each mark that was still there. */
export const removeMarks = (
  { service, therapistId }: PracticeLog,
  tokens: readonly (string | null)[],
): Statement => ({
  text: `DELETE FROM ${marksOf(service)} WHERE therapist_id = $1 AND token = ANY ($2::uuid[]) RETURNING resource, id`,
  values: [therapistId, tokens],
});

/** The ids of these records that are being deleted. Removes abandoned marks, which ends their attempts for good. */
export const selectMarked = (
  { service, therapistId }: PracticeLog,
  resource: string,
  ids: readonly string[],
): Statement => ({
  text: `WITH abandoned AS (
  DELETE FROM ${marksOf(service)}
  WHERE therapist_id = $1 AND resource = $2 AND id = ANY ($3::uuid[]) AND marked_at <= ${ABANDONED} RETURNING id
)
SELECT id FROM ${marksOf(service)}
WHERE therapist_id = $1 AND resource = $2 AND id = ANY ($3::uuid[]) AND id NOT IN (SELECT id FROM abandoned)`,
  values: [therapistId, resource, ids],
});

/** The keys of `removeMarks`' rows. */
export const markedKeys = (rows: readonly TextRow[]): Set<string> =>
  new Set(rows.map(([resource, id]) => keyOf({ resource: String(resource), id: String(id) })));

/** Identifies a record within its practice. */
export const keyOf = ({ resource, id }: { resource: string; id: string }): string => `${resource} ${id}`;
