// How far a refill of the stream is: one row for each practice whose events are published again. The rows stay until the whole
// refill is done, so that a process that continues the refill knows which messages the stream must have.

import type { ClientBase } from 'pg';
import { logTable } from './log-table.js';
import { hasTakenRequests } from './backfill-requests.js';
import { firstHeld, notedColumns, type NotedMessage, type PublishedMessage } from './published.js';
import type { Place } from './read-parts.js';

/** SQL for whether a practice's events may be published: they wait for older events that are published again. */
export const isNotRefilled = (service: string, practice: string): string =>
  `NOT EXISTS (SELECT FROM ${logTable(service, 'refill')} AS r WHERE r.therapist_id = ${practice} AND NOT r.is_done)`;

/** Events that are published again. */
export interface Range {
  /** Events recorded at this time or later; all of them if it is null. */
  readonly since: string | null;
  readonly isLoss: boolean;
  /** Whether a subscriber needs all of these events once more, even if this refill has published them already. */
  readonly fromStart: boolean;
}

/** Adds events to the refill, within a transaction. Practices that are already in the refill go back as far as necessary. */
export async function addToRefill(client: ClientBase, service: string, range: Range): Promise<void> {
  const { since, isLoss, fromStart } = range;
  const starts =
    since === null || since === '-infinity'
      ? `SELECT therapist_id, 1 AS first FROM ${logTable(service, 'practice_head')} WHERE position > 0 AND $1::timestamptz <= 'infinity'`
      : `SELECT therapist_id, min(position) AS first FROM ${logTable(service, 'events')} WHERE recorded_at >= $1 GROUP BY therapist_id`;
  await client.query(
    `INSERT INTO ${logTable(service, 'refill')} AS r (therapist_id, since, is_loss, first, next)
     SELECT therapist_id, $1, $2, first, first FROM (${starts}) AS start
     ON CONFLICT (therapist_id) DO UPDATE SET since = least(r.since, excluded.since), is_loss = r.is_loss OR excluded.is_loss,
       first = least(r.first, excluded.first), is_done = false,
       next = least(CASE WHEN $3 THEN r.first ELSE r.next END, excluded.first)`,
    [since ?? '-infinity', isLoss, fromStart],
  );
}

/** Whether a refill is under way, and whether a loss is one of its reasons. */
export async function refillState(
  client: ClientBase,
  service: string,
): Promise<{ readonly isOpen: boolean; readonly isLoss: boolean }> {
  const { rows } = await client.query<{ isOpen: boolean; isLoss: boolean }>(
    `SELECT count(*) > 0 OR ${hasTakenRequests(service)} AS "isOpen", coalesce(bool_or(is_loss), false) AS "isLoss" FROM ${logTable(service, 'refill')}`,
  );
  return rows[0] ?? { isOpen: false, isLoss: false };
}

/**
 * The practices whose turn it is. Practices whose newer events wait come first, then the practices that have waited longest. So a
 * practice with a long log delays no other practice.
 */
export async function nextToRefill(client: ClientBase, service: string, limit: number): Promise<Place[]> {
  const { rows } = await client.query<Place>({
    name: 'next to refill',
    text: `SELECT therapist_id AS "therapistId", next::float8 AS next FROM ${logTable(service, 'refill')} WHERE NOT is_done
     ORDER BY therapist_id IN (SELECT therapist_id FROM ${logTable(service, 'outbox')}) DESC, sequence NULLS FIRST, therapist_id
     LIMIT $1`,
    values: [limit],
  });
  return rows;
}

/** A part of a practice's log that the stream has again. */
export interface Refilled extends Place {
  readonly isDone: boolean;
  /** Its last message; null if it had no event. */
  readonly last: PublishedMessage | null;
}

/** Notes which parts the stream has again. */
export async function noteRefilled(
  client: ClientBase,
  service: string,
  parts: readonly Refilled[],
): Promise<void> {
  const rows = parts.map(({ therapistId: id, next, isDone, last }) => ({ id, next, isDone, ...last }));
  await client.query({
    name: 'refilled',
    text: `UPDATE ${logTable(service, 'refill')} AS r SET next = p.next, is_done = p."isDone", stream = coalesce(p.stream, r.stream),
       sequence = coalesce(p.sequence, r.sequence), event_id = coalesce(p."eventId", r.event_id)
     FROM json_to_recordset($1::json) AS p (id uuid, next bigint, "isDone" boolean, stream text, sequence bigint, "eventId" uuid)
     WHERE r.therapist_id = p.id`,
    values: [JSON.stringify(rows)],
  });
}

/**
 * Compares the refill with the stream. Practices whose messages the stream has lost again start over.
 * @param holds whether the stream still has a message
 * @returns the number of these practices
 */
export async function verifyRefill(
  client: ClientBase,
  service: string,
  holds: (message: NotedMessage) => Promise<boolean>,
): Promise<number> {
  const table = logTable(service, 'refill');
  const { rows } = await client.query<NotedMessage>(
    `SELECT ${notedColumns} FROM ${table}
     WHERE stream IS NOT NULL ORDER BY sequence DESC`,
  );
  let again = 0;
  for (const stream of new Set(rows.map((row) => row.stream))) {
    const own = rows.filter((row) => row.stream === stream);
    // Up to here, nothing is lost.
    const held = await firstHeld(own, holds);
    const kept = held < 0 ? -1 : (own[held] as NotedMessage).sequence;
    const { rowCount } = await client.query(
      `UPDATE ${table} SET next = first, is_done = false, stream = NULL, sequence = NULL, event_id = NULL
       WHERE stream = $1 AND sequence > $2`,
      [stream, kept],
    );
    again += rowCount ?? 0;
  }
  return again;
}
