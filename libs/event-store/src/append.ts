// Appends to a log. Every write transaction first locks the practice's head row. So events get positions without gaps, in the
// order of their commits, and writes of one practice never run concurrently.

import { logTable } from './log-table.js';
import type { Event, EventMetadata } from '@practice/core';
import type { Statement } from './statement.js';

/** An event that is ready to be appended. */
export interface NewEvent extends Event {
  readonly aggregate: string;
  readonly streamId: string;
  /** The version of the stream after this event. The append fails if the stream already has this version. */
  readonly version: number;
  /** The version of its type: which shape `data` have. */
  readonly schemaVersion: number;
  readonly metadata: EventMetadata;
  readonly recordedAt: string;
}

/** Sets the practice of the transaction, for row-level security. */
export const actFor = (therapistId: string): Statement => ({
  text: `SELECT set_config('app.therapist_id', $1, true)`,
  values: [therapistId],
});

/** Locks the practice. Returns one row with its position, or none if it has never written to this log. */
export const lockPractice = (service: string, therapistId: string): Statement => ({
  text: `SELECT position FROM ${logTable(service, 'practice_head')} WHERE therapist_id = $1 FOR NO KEY UPDATE`,
  values: [therapistId],
});

/** Creates the head row before a practice's first write. */
export const openPractice = (service: string, therapistId: string): Statement => ({
  text: `INSERT INTO ${logTable(service, 'practice_head')} (therapist_id, position) VALUES ($1, 0) ON CONFLICT DO NOTHING`,
  values: [therapistId],
});

/**
 * Appends events, adds them to the outbox and moves the head, in one statement.
 * @param position the practice's position before them, as read under its lock
 */
export function appendEvents(
  log: { service: string; therapistId: string; position: number },
  events: readonly NewEvent[],
): Statement {
  const { service, therapistId, position } = log;
  const rows = events.map((event, index) => ({
    position: position + index + 1,
    aggregate: event.aggregate,
    stream_id: event.streamId,
    version: event.version,
    type: event.type,
    schema_version: event.schemaVersion,
    data: event.data,
    metadata: event.metadata,
    recorded_at: event.recordedAt,
  }));
  return {
    text: `WITH new AS (
  SELECT * FROM json_to_recordset($2::json) AS e(position bigint, aggregate text, stream_id uuid, version integer, type text, schema_version integer, data jsonb, metadata jsonb, recorded_at timestamptz)
), logged AS (
  INSERT INTO ${logTable(service, 'events')} (therapist_id, position, aggregate, stream_id, version, type, schema_version, data, metadata, recorded_at)
  SELECT $1::uuid, position, aggregate, stream_id, version, type, schema_version, data, metadata, recorded_at FROM new
), queued AS (
  INSERT INTO ${logTable(service, 'outbox')} (therapist_id, position) SELECT $1::uuid, position FROM new ORDER BY position
)
UPDATE ${logTable(service, 'practice_head')} SET position = $3::bigint WHERE therapist_id = $1::uuid`,
    values: [therapistId, JSON.stringify(rows), position + events.length],
  };
}

/** The last version of each of these streams that exists: `[stream_id, version]`. */
export const streamVersions = (
  log: { service: string; therapistId: string },
  aggregate: string,
  ids: readonly string[],
): Statement => ({
  text: `SELECT stream_id, max(version) FROM ${logTable(log.service, 'events')}
WHERE therapist_id = $1 AND aggregate = $2 AND stream_id = ANY ($3::uuid[]) GROUP BY stream_id`,
  values: [log.therapistId, aggregate, ids],
});
