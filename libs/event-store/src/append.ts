// Appending to a log. The practice's head row is locked first in every write transaction, so its events get positions
// without a gap, in the order of their commits, and writes of one practice never run concurrently.

import { logTable } from './log-table.js';
import { GROUP_SETTING, PRACTICE_SETTING } from './log-tables.js';
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
  text: `SELECT set_config('${PRACTICE_SETTING}', $1, true)`,
  values: [therapistId],
});

/** Sets the practices that the transaction of a group acts for, until it ends. */
export const actForGroup = (practices: readonly string[]): Statement => ({
  text: `SELECT set_config('${GROUP_SETTING}', $1, true)`,
  values: [`{${practices.join()}}`],
});

/**
 * Locks practices, in the order of their ids. The result has a row `[therapist_id, position]` for each one that is locked now.
 * @param waiting 'wait' for other transactions, or 'skip' the practices that they hold; a practice that has never written to
 *   this log has no row to lock
 */
export const lockPractices = (
  service: string,
  practices: readonly string[],
  waiting: 'wait' | 'skip',
): Statement => ({
  text: `SELECT therapist_id, position FROM ${logTable(service, 'practice_head')} WHERE therapist_id = ANY ($1::uuid[])
ORDER BY therapist_id FOR NO KEY UPDATE${waiting === 'skip' ? ' SKIP LOCKED' : ''}`,
  values: [practices],
});

/** Inserts the head row for a practice's first write. */
export const openPractice = (service: string, therapistId: string): Statement => ({
  text: `INSERT INTO ${logTable(service, 'practice_head')} (therapist_id, position) VALUES ($1, 0) ON CONFLICT DO NOTHING`,
  values: [therapistId],
});

/** Events for the log of one practice. */
export interface Append {
  readonly therapistId: string;
  /** The practice's position before the events, as read under its lock. */
  readonly position: number;
  readonly events: readonly NewEvent[];
}

/** Appends events of one practice: see `appendAll`. */
export const appendEvents = (
  { service, therapistId, position }: { service: string; therapistId: string; position: number },
  events: readonly NewEvent[],
): Statement => appendAll(service, [{ therapistId, position, events }]);

/**
 * Appends events of any number of practices, queues them for the bus and moves the heads, in one statement. The statement itself looks at the last event of
 * each stream: a stream begins with a creation, a living one takes no other, and after a deletion only a creation follows.
 * An event that does not fit gets the version of the stream's last event, so it fails with 23505 on `events_stream_key`, or
 * with 23502 if there is no stream. An event whose version another writer has used fails in the same way.
 * @throws {Error} when two of the events do not fit each other
 */
export function appendAll(service: string, appends: readonly Append[]): Statement {
  const rows = appends.flatMap(rowsOf);
  return {
    text: `WITH new AS (
  SELECT * FROM json_to_recordset($1::json) AS e(therapist_id uuid, position bigint, aggregate text, stream_id uuid, version integer, type text, schema_version integer, data jsonb, metadata jsonb, recorded_at timestamptz, begins boolean, endings text[])
), logged AS (
  INSERT INTO ${logTable(service, 'events')} (therapist_id, position, aggregate, stream_id, version, type, schema_version, data, metadata, recorded_at)
  SELECT new.therapist_id, position, aggregate, stream_id,
    CASE WHEN begins IS NULL OR begins = (last.version IS NULL OR last.type = ANY (endings)) THEN new.version ELSE last.version END,
    new.type, schema_version, data, metadata, recorded_at
  FROM new LEFT JOIN LATERAL (
    SELECT e.type, e.version FROM ${logTable(service, 'events')} AS e
    WHERE begins IS NOT NULL AND e.therapist_id = new.therapist_id AND e.stream_id = new.stream_id AND e.aggregate = new.aggregate
    ORDER BY e.version DESC LIMIT 1
  ) AS last ON true
), queued AS (
  INSERT INTO ${logTable(service, 'outbox')} (therapist_id, position) SELECT therapist_id, position FROM new ORDER BY therapist_id, position
)
UPDATE ${logTable(service, 'practice_head')} AS head SET position = moved.position
FROM unnest($2::uuid[], $3::bigint[]) AS moved(therapist_id, position) WHERE head.therapist_id = moved.therapist_id`,
    values: [
      JSON.stringify(rows),
      appends.map(({ therapistId }) => therapistId),
      appends.map(({ position, events }) => position + events.length),
    ],
  };
}

function rowsOf({ therapistId, position, events }: Append): object[] {
  const last = new Map<string, NewEvent>();
  return events.map((event, index) => ({
    ...continuation(last, event),
    therapist_id: therapistId,
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

/** A stream of a practice. */
export interface StreamKey {
  readonly therapistId: string;
  readonly id: string;
}

/** The last versions of streams that exist: `[index in streams, from 1; version]`. */
export const streamVersions = (
  service: string,
  aggregate: string,
  streams: readonly StreamKey[],
): Statement => ({
  text: `SELECT wanted.index, last.version
FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS wanted(therapist_id, id, index), LATERAL (
  SELECT version FROM ${logTable(service, 'events')} AS e
  WHERE e.therapist_id = wanted.therapist_id AND e.stream_id = wanted.id AND e.aggregate = $3 ORDER BY version DESC LIMIT 1
) AS last`,
  values: [streams.map(({ therapistId }) => therapistId), streams.map(({ id }) => id), aggregate],
});
