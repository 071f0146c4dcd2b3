// Locks by name that a session of Postgres holds. They end with the connection, so a killed process releases its own at once.

import { setTimeout as pause } from 'node:timers/promises';
import type { ClientBase } from 'pg';

const ASK_EVERY_MS = 100;

/** SQL for the key of a lock. @param name SQL for its name */
export const lockKey = (name: string): string => `hashtext(${name})::bigint`;

/** Tries to take the lock of a name for the session. @returns whether the session holds it now */
export async function tryLock(client: ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query<{ isHeld: boolean }>(
    `SELECT pg_try_advisory_lock(${lockKey('$1')}) AS "isHeld"`,
    [name],
  );
  return rows[0]?.isHeld === true;
}

/**
 * Waits until the session holds the lock of a name. Polls instead of waiting in Postgres, because CREATE INDEX CONCURRENTLY waits for
 * every running statement.
 */
export async function waitForLock(client: ClientBase, name: string): Promise<void> {
  while (!(await tryLock(client, name))) await pause(ASK_EVERY_MS);
}

/** A query of the keys of all locks in this database that sessions hold, or wait for. */
export const lockKeys = (which: 'held' | 'wanted'): string =>
  `SELECT (classid::bigint << 32) | objid::bigint AS key FROM pg_locks
 WHERE locktype = 'advisory' AND objsubid = 1 AND granted = ${which === 'held'}
   AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
