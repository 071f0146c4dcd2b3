// How much of a log the bus has: one row for each minute in which events were published, with the last of these events. If the
// bus has lost its last messages, the events to publish again begin after the newest row whose message it still has.

import type { ClientBase } from 'pg';
import { newRequests } from './backfill-requests.js';
import { logTable } from './log-table.js';
import type { Statement } from './statement.js';

/** A message of the stream. */
export interface PublishedMessage {
  /** Identifies the stream: a stream that was made again has another value. */
  readonly stream: string;
  readonly sequence: number;
  readonly eventId: string;
}

/** A message as it was noted. `eventId` is null if the message has since been deleted on purpose: it cannot be compared. */
export interface NotedMessage extends Omit<PublishedMessage, 'eventId'> {
  readonly eventId: string | null;
}

/** Stands for the event of a message that was deleted on purpose. */
const DELETED = `'00000000-0000-0000-0000-000000000000'::uuid`;

/** SQL for the columns of a `NotedMessage`. */
export const notedColumns = `stream, sequence::float8 AS sequence, nullif(event_id, ${DELETED}) AS "eventId"`;

/**
 * Removes published events from the outbox, and notes the message of the last event.
 * @param outboxIds ids of the rows in the outbox
 * @param last the message with the highest sequence
 * @param since when the earliest of the events was recorded
 */
export const relayed = (
  service: string,
  { outboxIds, last, since }: { outboxIds: readonly string[]; last: PublishedMessage; since: string },
): Statement => ({
  text: `WITH done AS (DELETE FROM ${logTable(service, 'outbox')} WHERE id = ANY ($1::bigint[]))
INSERT INTO ${logTable(service, 'published')} AS p (minute, stream, sequence, event_id, since)
VALUES (date_trunc('minute', now()), $2, $3, $4, $5)
ON CONFLICT (minute, stream) DO UPDATE SET sequence = greatest(p.sequence, excluded.sequence), since = least(p.since, excluded.since),
  event_id = CASE WHEN excluded.sequence > p.sequence THEN excluded.event_id ELSE p.event_id END`,
  values: [outboxIds, last.stream, last.sequence, last.eventId, since],
});

/** The events that the bus has lost. */
export type Loss =
  | { readonly kind: 'none' }
  /** Events recorded at this time or later, or all of them if it is null. */
  | { readonly kind: 'lost'; readonly since: string | null };

/** The events that must be published again, and the ids of the requests for them. */
export type Refill =
  | { readonly kind: 'none' }
  | (Loss & { readonly kind: 'lost'; readonly isLoss: boolean; readonly requests: readonly string[] });

const KEPT = '30 days';

/**
 * Finds the events that must be published again: lost events, and events that subscribers have requested.
 * @param holds whether the stream still has a message
 */
export async function findRefill(
  client: ClientBase,
  service: string,
  holds: (message: NotedMessage) => Promise<boolean>,
): Promise<Refill> {
  const found = await newRequests(client, service);
  const loss = await findLoss(client, service, holds);
  if (loss.kind === 'none' && found.length === 0) return loss;
  const starts = [...found, ...(loss.kind === 'lost' ? [loss] : [])].map(({ since }) => since);
  const since = starts.reduce((one, other) => earlier(one, other));
  return { kind: 'lost', since, isLoss: loss.kind === 'lost', requests: found.map(({ id }) => id) };
}

/** The earlier one of two starts; null and `-infinity` are the beginning. */
const earlier = (one: string | null, other: string | null): string | null =>
  one === null || other === null ? null : other < one ? other : one;

/**
 * Compares the notes with the stream. A log without notes has lost nothing.
 * @param holds whether the stream still has a message
 */
export async function findLoss(
  client: ClientBase,
  service: string,
  holds: (message: NotedMessage) => Promise<boolean>,
): Promise<Loss> {
  const table = logTable(service, 'published');
  await client.query(
    `DELETE FROM ${table} WHERE minute < (SELECT max(minute) FROM ${table}) - interval '${KEPT}'`,
  );
  const notes = `SELECT ${notedColumns}, to_json(since) #>> '{}' AS since FROM ${table}
     ORDER BY minute DESC, sequence DESC`;
  // Usually, the stream has the newest message. Only otherwise are the other notes of the 30 days read.
  const [newest] = (await client.query<NotedMessage>(`${notes} LIMIT 1`)).rows;
  if (newest === undefined || (await holds(newest))) return { kind: 'none' };
  const { rows } = await client.query<NotedMessage & { readonly since: string }>(notes);
  const index = await firstHeld(rows, holds);
  if (index === 0) return { kind: 'none' };
  if (index < 0) return { kind: 'lost', since: null };
  const later = rows.slice(0, index).map(({ since }) => since);
  return { kind: 'lost', since: later.reduce((one, other) => (other < one ? other : one)) };
}

/**
 * The index of a message that the stream has, with all older messages; -1 if it has none of them. A stream loses only its end: if
 * it has a message, it also has all older messages.
 * @param messages the newest first
 */
export async function firstHeld(
  messages: readonly NotedMessage[],
  holds: (message: NotedMessage) => Promise<boolean>,
): Promise<number> {
  // Goes back twice as far each time, so that few messages are looked up.
  for (let index = 0; index < messages.length; index = 2 * index + 1)
    if (await holds(messages[index] as NotedMessage)) return index;
  return -1;
}

/**
 * Removes the notes that a refill of lost events replaces, within its transaction.
 * @param since the events recorded at this time or later, or all of them if it is null
 */
export async function removeLost(client: ClientBase, service: string, since: string | null): Promise<void> {
  await client.query(
    `DELETE FROM ${logTable(service, 'published')} WHERE $1::timestamptz IS NULL OR since >= $1`,
    [since],
  );
}

/**
 * Notes that messages are about to be deleted on purpose, as by an erasure: the stream has not lost them.
 * @param client of the relay's role
 */
export async function noteDeletions(
  client: ClientBase,
  service: string,
  { stream, sequences }: { readonly stream: string; readonly sequences: readonly number[] },
): Promise<void> {
  for (const table of ['published', 'refill'] as const)
    await client.query(
      `UPDATE ${logTable(service, table)} SET event_id = ${DELETED} WHERE stream = $1 AND sequence = ANY ($2::bigint[])`,
      [stream, sequences],
    );
}

/** Ends a refill: its last message is noted, and its requests are done. */
export async function endRefill(client: ClientBase, service: string): Promise<void> {
  const [table, refill] = [logTable(service, 'published'), logTable(service, 'refill')];
  await client.query(
    `WITH done AS (DELETE FROM ${refill} RETURNING since, stream, sequence, event_id),
       answered AS (DELETE FROM ${logTable(service, 'backfill_requests')} WHERE is_taken)
     INSERT INTO ${table} AS p (minute, stream, sequence, event_id, since)
     SELECT date_trunc('minute', now()), m.stream, m.sequence, m.event_id, (SELECT min(since) FROM done)
     FROM (SELECT stream, sequence, event_id FROM done WHERE stream IS NOT NULL
       UNION ALL SELECT stream, sequence, event_id FROM ${table} WHERE stream IN (SELECT stream FROM done)) AS m
     ORDER BY m.sequence DESC LIMIT 1
     ON CONFLICT (minute, stream) DO UPDATE SET sequence = greatest(p.sequence, excluded.sequence), since = least(p.since, excluded.since),
       event_id = CASE WHEN excluded.sequence > p.sequence THEN excluded.event_id ELSE p.event_id END`,
  );
}
