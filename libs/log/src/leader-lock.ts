// The right to publish the events of a log: one connection holds it at a time, so that two publishers cannot mix up the order
// of a practice's events. It ends with the connection, so a killed process releases it.

import type { ClientBase } from 'pg';
import { lockKey, lockKeys, tryLock } from './advisory-lock.js';

const key = (service: string): string => `relay ${service}`;

/** Tries to take the lock. The connection that holds it receives notifications. @returns whether the connection holds it now */
export async function tryLeaderLock(client: ClientBase, service: string): Promise<boolean> {
  const isLeader = await tryLock(client, key(service));
  if (isLeader) await client.query(`LISTEN ${client.escapeIdentifier(key(service))}`);
  return isLeader;
}

/** Notifies the connection that holds the lock of new events, or of a connection that will wait for the lock. */
export const notifyLeader = (client: ClientBase, service: string): Promise<unknown> =>
  client.query(`NOTIFY ${client.escapeIdentifier(key(service))}`);

/**
 * Waits for the lock. A relay that holds it releases it between two batches: usually at once, and at the latest within a second.
 * @throws {DatabaseError} 55P03 after 30 s
 */
export async function waitForLeaderLock(client: ClientBase, service: string): Promise<void> {
  await client.query(`SET lock_timeout = '30s'`);
  // Just before it waits, because the relay looks for connections that wait soon after the notification.
  await notifyLeader(client, service);
  await client.query(`SELECT pg_advisory_lock(${lockKey('$1')})`, [key(service)]);
  await client.query('RESET lock_timeout');
}

/** Releases the lock if another connection waits for it. @returns whether the connection still holds it */
export async function yieldLeaderLock(client: ClientBase, service: string): Promise<boolean> {
  const { rows } = await client.query({
    name: 'yield leader lock',
    text: `SELECT pg_advisory_unlock(${lockKey('$1')}) FROM (${lockKeys('wanted')}) AS wanted
     WHERE key = ${lockKey('$1')} LIMIT 1`,
    values: [key(service)],
  });
  if (rows.length > 0) await client.query(`UNLISTEN ${client.escapeIdentifier(key(service))}`);
  return rows.length === 0;
}
