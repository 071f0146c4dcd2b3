// Appending to a log. The practice's head row is locked first in every write transaction, so its events get positions
// without a gap, in the order of their commits, and writes of one practice never run concurrently.

import { logTable } from './log-table.js';
import type { Event, EventMetadata } from '@practice/core';
import type { Statement } from './statement.js';

/** The event types that begin and end the streams of an aggregate. */
export interface Lifecycle {
  readonly created: readonly string[];
  readonly deleted: readonly string[];
}

/** An event ready to be appended. */
export interface NewEvent extends Event {
  readonly aggregate: string;
  readonly streamId: string;
  /** The stream's version with this event. */
  readonly version: number;
  /** The version of its type: which shape `data` have. */
  readonly schemaVersion: number;
  readonly lifecycle: Lifecycle;
  readonly metadata: EventMetadata;
  readonly recordedAt: string;
}

/** Sets the practice that the transaction acts for, until it ends (row-level security). */
export const actFor = (therapistId: string): Statement => ({
  text: `SELECT set_config('app.therapist_id', $1, true)`,
  values: [therapistId],
});

/** Locks the practice. The result is one row with its position, or no row if it has never written to this log. */
export const lockPractice = (service: string, therapistId: string): Statement => ({
  text: `SELECT position FROM ${logTable(service, 'practice_head')} WHERE therapist_id = $1 FOR NO KEY UPDATE`,
  values: [therapistId],
});

/** Inserts the head row for a practice's first write. */
export const openPractice = (service: string, therapistId: string): Statement => ({
  text: `INSERT INTO ${logTable(service, 'practice_head')} (therapist_id, position) VALUES ($1, 0) ON CONFLICT DO NOTHING`,
  values: [therapistId],
});

/**
 * Appends events, queues them for the bus and moves the head, in one statement. The statement itself looks at the last event of
 * each stream: a stream begins with a creation, a living one takes no other, and after a deletion only a creation follows.
 * An event that does not fit gets the version of the stream's last event, so it fails with 23505 on `events_stream_key`, or
 * with 23502 if there is no stream. An event whose version another writer has used fails in the same way.
 * @param log with the practice's position before the events, as read under its lock
 * @throws {Error} when two of the events do not fit each other
 */
export function appendEvents(
  log: { service: string; therapistId: string; position: number },
  events: readonly NewEvent[],
): Statement {
  const { service, therapistId, position } = log;
  const last = new Map<string, NewEvent>();
  const rows = events.map((event, index) => ({
    ...continuation(last, event),
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
  SELECT * FROM json_to_recordset($2::json) AS e(position bigint, aggregate text, stream_id uuid, version integer, type text, schema_version integer, data jsonb, metadata jsonb, recorded_at timestamptz, begins boolean, endings text[])
), logged AS (
  INSERT INTO ${logTable(service, 'events')} (therapist_id, position, aggregate, stream_id, version, type, schema_version, data, metadata, recorded_at)
  SELECT $1::uuid, position, aggregate, stream_id,
    CASE WHEN begins IS NULL OR begins = (last.version IS NULL OR last.type = ANY (endings)) THEN new.version ELSE last.version END,
    new.type, schema_version, data, metadata, recorded_at
  FROM new LEFT JOIN LATERAL (
    SELECT e.type, e.version FROM ${logTable(service, 'events')} AS e
    WHERE begins IS NOT NULL AND e.therapist_id = $1::uuid AND e.stream_id = new.stream_id AND e.aggregate = new.aggregate
    ORDER BY e.version DESC LIMIT 1
  ) AS last ON true
), queued AS (
  INSERT INTO ${logTable(service, 'outbox')} (therapist_id, position) SELECT $1::uuid, position FROM new ORDER BY position
)
UPDATE ${logTable(service, 'practice_head')} SET position = $3::bigint WHERE therapist_id = $1::uuid`,
    values: [therapistId, JSON.stringify(rows), position + events.length],
  };
}

/**
 * The fields that the statement compares with the log: only for the first event of each stream, as the others follow an event
 * of this append.
 * @param last the events before it, by stream; the event is added
 */
function continuation(
  last: Map<string, NewEvent>,
  event: NewEvent,
): { begins: boolean; endings: readonly string[] } | undefined {
  const { lifecycle, type } = event;
  const stream = `${event.aggregate} ${event.streamId}`;
  const before = last.get(stream);
  last.set(stream, event);
  const begins = lifecycle.created.includes(type);
  if (before === undefined) return { begins, endings: lifecycle.deleted };
  if (begins !== lifecycle.deleted.includes(before.type))
    throw new Error(`${type} cannot follow ${before.type}`);
  return undefined;
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
