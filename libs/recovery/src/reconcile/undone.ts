// Finds messages of the stream whose events the log does not have, because an older copy of the database was restored.

import { LOG_RESTORED } from '@practice/contracts';
import { logTable, type PublishedMessage } from '@practice/log';
import { replay, subjectOf, type PublishedEvent, type Replayed, type Connection } from '@practice/bus';
import type { Client } from 'pg';

const BATCH = 500;

/**
 * Compares a service's log with the messages of the stream that come after its last note.
 * @param stream the id of the stream
 */
export async function compare(
  client: Client,
  service: string,
  { connection, stream }: { readonly connection: Connection; readonly stream: PublishedMessage['stream'] },
) {
  const { rows } = await client.query<{ noted: number }>(
    `SELECT coalesce(max(sequence), 0)::float8 AS noted FROM ${logTable(service, 'published')} WHERE stream = $1`,
    [stream],
  );
  /** Messages whose events the log does not have. */
  const undone: Replayed[] = [];
  /** The last compared message whose event the log has, and when the earliest of these events was recorded. */
  let [last, since]: [Replayed | null, string | null] = [null, null];
  for await (const batch of batches(
    replay({ connection, subjects: [subjectOf({ service })], after: rows[0]?.noted ?? 0 }),
  )) {
    const missing = await missingOf(
      client,
      service,
      batch.map(({ event }) => event),
    );
    for (const [index, message] of batch.entries()) {
      if (missing.has(index)) undone.push(message);
      else {
        last = message;
        if (since === null || message.event.recordedAt < since) since = message.event.recordedAt;
      }
    }
  }
  return { undone, last, since };
}

export type Comparison = Awaited<ReturnType<typeof compare>>;

async function* batches(messages: AsyncIterable<Replayed>): AsyncGenerator<readonly Replayed[]> {
  let batch: Replayed[] = [];
  for await (const message of messages) {
    batch.push(message);
    if (batch.length === BATCH) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

/** The indexes of the events that the log does not have. */
async function missingOf(
  client: Client,
  service: string,
  events: readonly PublishedEvent[],
): Promise<Set<number>> {
  const wanted = events.map((event, index) => ({
    index,
    practice: event.therapistId,
    position: event.position,
    id: event.metadata.eventId,
    epoch: event.type === LOG_RESTORED ? (event.epoch ?? 0) : null,
  }));
  const { rows } = await client.query<{ index: number }>(
    `SELECT w.index FROM json_to_recordset($1) AS w(index integer, practice uuid, position bigint, id text, epoch bigint)
     WHERE CASE WHEN w.epoch IS NULL
       THEN NOT EXISTS (SELECT FROM ${logTable(service, 'events')} AS e
         WHERE e.therapist_id = w.practice AND e.position = w.position AND e.metadata ->> 'eventId' = w.id)
       ELSE NOT EXISTS (SELECT FROM ${logTable(service, 'restorations')} AS r
         WHERE r.therapist_id = w.practice AND r.epoch = w.epoch) END`,
    [JSON.stringify(wanted)],
  );
  return new Set(rows.map(({ index }) => index));
}
