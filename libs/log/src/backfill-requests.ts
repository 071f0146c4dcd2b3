// Requests of subscribers to publish events again, because the stream no longer has them. A refill of the stream takes the
// requests. They are deleted when the refill is done.

import type { ClientBase } from 'pg';
import { logTable } from './log-table.js';
import type { Statement } from './statement.js';

/** A request that no refill has taken. */
export interface BackfillRequest {
  readonly id: string;
  /** Events recorded at this time or later; `-infinity` for all. */
  readonly since: string;
}

/**
 * Requests that events are published again.
 * @param id of the request; a second request with the same id has no effect
 * @param since the events recorded at this time or later, or all of them if it is null
 */
export const requestBackfill = (
  service: string,
  { id, since }: { id: string; since: string | null },
): Statement => ({
  text: `INSERT INTO ${logTable(service, 'backfill_requests')} (id, since)
VALUES ($1, coalesce($2::timestamptz, '-infinity')) ON CONFLICT DO NOTHING`,
  values: [id, since],
});

/** A statement that returns a row while the request is open. */
export const isBackfillOpen = (service: string, id: string): Statement => ({
  text: `SELECT 1 FROM ${logTable(service, 'backfill_requests')} WHERE id = $1`,
  values: [id],
});

/** SQL for whether a refill that has begun still has requests to answer. */
export const hasTakenRequests = (service: string): string =>
  `EXISTS (SELECT FROM ${logTable(service, 'backfill_requests')} WHERE is_taken)`;

/** The requests that no refill has taken. */
export async function newRequests(client: ClientBase, service: string): Promise<BackfillRequest[]> {
  const { rows } = await client.query<BackfillRequest>(
    `SELECT id, to_json(since) #>> '{}' AS since FROM ${logTable(service, 'backfill_requests')} WHERE NOT is_taken`,
  );
  return rows;
}

/** Notes that a refill has begun for these requests, within its transaction. */
export async function takeRequests(
  client: ClientBase,
  service: string,
  ids: readonly string[],
): Promise<void> {
  await client.query(
    `UPDATE ${logTable(service, 'backfill_requests')} SET is_taken = true WHERE id = ANY ($1::uuid[])`,
    [ids],
  );
}
