// Appending to a log. The practice's head row is locked first in every write transaction, so its events get positions
// without a gap, in the order of their commits, and writes of one practice never run concurrently.

import type { Steps } from '@practice/core';
import { appendText } from './append-text.js';
import { logTable } from './log-table.js';
import { sealedValues, type KeyOf } from './personal-values.js';
import type { NewEvent } from './new-event.js';
import { listsOf, type PracticeKey, type Statement } from './statement.js';

/**
 * Locks practices, in the order of their ids. The result has a row `[therapist_id, position, bytes, locked_at, erase_at,
 * erasures, kept_bytes]` for each practice that is locked now. `bytes` is the size of its events. `erase_at` is set while the
 * practice is closed. `erasures` is the number of its erasures. `kept_bytes` is what `countKept` has counted. `locked_at` is in whole milliseconds and after the last event was recorded:
 * if Postgres had to wait for another transaction that has written, it evaluates the row again. The clock of another server that
 * has taken over may be behind; a last event that is more than a minute ahead was recorded by a wrong clock and does not count.
 * @param waiting 'wait' for other transactions, or 'skip' the practices that they hold; a practice that has never written to this
 *   log has no row to lock
 */
export const lockPractices = (
  service: string,
  practices: readonly string[],
  waiting: 'wait' | 'skip',
): Statement => ({
  text: `SELECT therapist_id, position, bytes, greatest(date_trunc('milliseconds', clock_timestamp()), CASE WHEN recorded_at < clock_timestamp() + interval '1 minute' THEN recorded_at + interval '1 millisecond' END) AS locked_at, erase_at, erasures, CASE WHEN ${KEPT_NOW} THEN kept_bytes ELSE 0 END AS kept_bytes FROM ${logTable(service, 'practice_head')} WHERE therapist_id = ANY ($1::uuid[])
ORDER BY therapist_id FOR NO KEY UPDATE${waiting === 'skip' ? ' SKIP LOCKED' : ''}`,
  values: [practices],
});

/** SQL for whether the responses that the head row counts may still be stored. */
const KEPT_NOW = `kept_since > now() - interval '24 hours'`;

/** Counts responses that were stored under idempotency keys. The count begins again 24 hours after its first response. */
export const countKept = (
  service: string,
  kept: readonly { readonly therapistId: string; readonly bytes: number }[],
): Statement => ({
  text: `UPDATE ${logTable(service, 'practice_head')} AS head SET kept_bytes = CASE WHEN ${KEPT_NOW} THEN kept_bytes ELSE 0 END + kept.bytes, kept_since = CASE WHEN ${KEPT_NOW} THEN kept_since ELSE now() END
FROM (SELECT therapist_id, sum(bytes)::bigint AS bytes FROM unnest($1::uuid[], $2::bigint[]) AS each(therapist_id, bytes) GROUP BY 1) AS kept
WHERE head.therapist_id = kept.therapist_id`,
  values: listsOf(kept, 'therapistId', 'bytes'),
});

/** Inserts the head row for a practice's first write. */
export const openPractice = (service: string, therapistId: string): Statement => ({
  text: `INSERT INTO ${logTable(service, 'practice_head')} (therapist_id, position) VALUES ($1, 0) ON CONFLICT DO NOTHING`,
  values: [therapistId],
});

/**
 * Closes a practice that the transaction has locked. From then on `lockPractices` returns the time of its erasure. Without a
 * time, the practice is opened again.
 */
export const closePractice = (
  service: string,
  { therapistId, eraseAt }: { readonly therapistId: string; readonly eraseAt: string | null },
): Statement => ({
  text: `UPDATE ${logTable(service, 'practice_head')} SET erase_at = $2::timestamptz WHERE therapist_id = $1::uuid`,
  values: [therapistId, eraseAt],
});

/** Events for the log of one practice, at least one. */
export interface Append {
  readonly therapistId: string;
  /** The practice's position before the events, as read under its lock. */
  readonly position: number;
  readonly events: readonly NewEvent[];
  /** The size in bytes of other data that the transaction stores for ever. */
  readonly otherBytes?: number;
  /** Required for events with personal values. */
  readonly keyOf?: KeyOf | undefined;
}

/**
 * Appends events of any number of practices, chains them (see `chain.ts`), queues them for the bus and moves the heads, in one
 * statement. The statement itself looks at the last event of each stream: a stream begins with a creation, a stream that lives
 * accepts no second creation, and after a deletion only a creation follows. An event that does not fit gets the version of the
 * stream's last event, so it fails with 23505 on `events_stream_key`, or with 23502 if there is no stream. An event whose version
 * another writer has used fails in the same way. Sealing a personal value takes about 20 µs, so each step is one event.
 * @throws {Error} when two of the events do not fit each other
 */
export function* appendAll(service: string, appends: readonly Append[]): Steps<Statement> {
  const texts: string[] = [];
  let isPersonal = false;
  for (const append of appends) {
    const rows: string[] = [];
    for (const row of rowsOf(append)) {
      isPersonal ||= 'personal_data' in row;
      rows.push(JSON.stringify(row));
      yield;
    }
    texts.push(rows.join());
  }
  // One event after each head is the common case, and needs no window function.
  const isSingle = appends.every(({ events }) => events.length === 1);
  return {
    text: appendText(service, { isPersonal, isSingle }),
    values: [
      `[${texts.join()}]`,
      appends.map(({ therapistId }) => therapistId),
      appends.map(({ position, events }) => position + events.length),
      texts.map((text, index) => Buffer.byteLength(`[${text}]`) + (appends[index]?.otherBytes ?? 0)),
    ],
  };
}

function* rowsOf({ therapistId, position, events, keyOf }: Append): Generator<object> {
  const last = new Map<string, NewEvent>();
  for (const [index, event] of events.entries()) {
    const data = sealedValues(event, 'data', { therapistId, keyOf });
    const previous = sealedValues(event, 'previous', { therapistId, keyOf });
    yield {
      therapist_id: therapistId,
      position: position + index + 1,
      aggregate: event.aggregate,
      stream_id: event.streamId,
      version: event.version,
      type: event.type,
      schema_version: event.schemaVersion,
      data: data.stored,
      metadata: event.metadata,
      previous: previous.stored,
      recorded_at: event.recordedAt,
      // Last: V8 takes five times as long for an object that begins with a spread.
      ...(data.plain && { personal_data: data.plain }),
      ...(previous.plain && { personal_previous: previous.plain, personal_data: data.plain ?? null }),
      ...continuation(last, event),
    };
  }
}

/**
 * The fields that the statement compares with the log: only for the first event of each stream, because the others follow an
 * event of this append.
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

/** The last versions of streams that exist: `[index in streams, from 1; version]`. @param streams by their ids */
export const streamVersions = (
  service: string,
  aggregate: string,
  streams: readonly PracticeKey[],
): Statement => ({
  text: `SELECT wanted.index, last.version
FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS wanted(therapist_id, id, index), LATERAL (
  SELECT version FROM ${logTable(service, 'events')} AS e
  WHERE e.therapist_id = wanted.therapist_id AND e.stream_id = wanted.id AND e.aggregate = $3 ORDER BY version DESC LIMIT 1
) AS last`,
  values: [...listsOf(streams, 'therapistId', 'key'), aggregate],
});
