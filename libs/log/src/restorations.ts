// Restorations of a log: an older copy of the database replaced it, so events after a position are gone, and their positions are
// used again. Each restoration begins an epoch of the practice's log.

import type { ClientBase } from 'pg';
import { logTable } from './log-table.js';

/** A practice's log was restored. */
export interface Restoration {
  readonly therapistId: string;
  /** The time of the restoration in Unix seconds: later epochs are larger. Before the first restoration the epoch is 0. */
  readonly epoch: number;
  /** The last position that is still the same. */
  readonly after: number;
}

/** SQL for the epoch of an event `e`; null before the first restoration. */
export const epochOf = (service: string): string =>
  `(SELECT max(r.epoch) FROM ${logTable(service, 'restorations')} AS r WHERE r.therapist_id = e.therapist_id AND r.after < e.position)::float8`;

/** The latest epoch of any practice's log; 0 if none was restored. */
export async function latestEpoch(client: ClientBase, service: string): Promise<number> {
  const { rows } = await client.query<{ epoch: number }>(
    `SELECT coalesce(max(epoch), 0)::float8 AS epoch FROM ${logTable(service, 'restorations')}`,
  );
  return rows[0]?.epoch ?? 0;
}

/** Adds restorations, as the owner of the schema. */
export async function addRestorations(
  client: ClientBase,
  service: string,
  restorations: readonly Restoration[],
): Promise<void> {
  await client.query(
    `INSERT INTO ${logTable(service, 'restorations')} (therapist_id, epoch, after)
     SELECT "therapistId", epoch, after FROM json_to_recordset($1) AS r("therapistId" uuid, epoch bigint, after bigint)`,
    [JSON.stringify(restorations)],
  );
}
