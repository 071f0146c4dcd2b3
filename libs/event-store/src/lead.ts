// The right to publish a log's events: one connection has it at a time, so that no two publishers can mix up the order
// of a practice. It lives as long as the connection, so a killed process frees it.

import type { ClientBase } from 'pg';

const key = (service: string): string => `relay ${service}`;

/** @returns whether the connection has it from now on; false while another one has */
export async function takeLead(client: ClientBase, service: string): Promise<boolean> {
  const { rows } = await client.query<{ leads: boolean }>(
    'SELECT pg_try_advisory_lock(hashtext($1)) AS leads',
    [key(service)],
  );
  return rows[0]?.leads === true;
}

/**
 * Waits until the connection has it. Whoever has it gives way when nothing of its is on its way to the bus.
 * @throws {DatabaseError} 55P03 when it does not within 30 s
 */
export async function waitForLead(client: ClientBase, service: string): Promise<void> {
  await client.query(`SET lock_timeout = '30s'`);
  await client.query('SELECT pg_advisory_lock(hashtext($1))', [key(service)]);
  await client.query('RESET lock_timeout');
}

/** Gives it up when somebody waits for it. @returns whether the connection still has it */
export async function keepLead(client: ClientBase, service: string): Promise<boolean> {
  const { rows } = await client.query({
    name: 'keep lead',
    text: `SELECT pg_advisory_unlock(hashtext($1)) FROM pg_locks
     WHERE locktype = 'advisory' AND objsubid = 1 AND NOT granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND (classid::bigint << 32) | objid::bigint = hashtext($1)::bigint LIMIT 1`,
    values: [key(service)],
  });
  return rows.length === 0;
}
