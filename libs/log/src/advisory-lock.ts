// Locks by name that a session of Postgres holds. They end with the connection, so a killed process releases its own at once.

import type { ClientBase } from 'pg';

/** The key of a lock in Postgres. @param name SQL of its name */
export const lockKey = (name: string): string => `hashtext(${name})::bigint`;

/** Tries to take the lock of a name for the session. @returns whether the session holds it now */
export async function tryLock(client: ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query<{ isHeld: boolean }>(
    `SELECT pg_try_advisory_lock(${lockKey('$1')}) AS "isHeld"`,
    [name],
  );
  return rows[0]?.isHeld === true;
}

/** A query of the keys of all locks in this database that sessions hold, or wait for. */
export const lockKeys = (which: 'held' | 'wanted'): string =>
  `SELECT (classid::bigint << 32) | objid::bigint AS key FROM pg_locks
 WHERE locktype = 'advisory' AND objsubid = 1 AND granted = ${which === 'held'}
   AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
