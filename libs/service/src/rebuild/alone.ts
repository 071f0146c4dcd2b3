import type { Client } from 'pg';

/**
 * Two rebuilds of one service at a time would drop each other's tables.
 * @throws {Error} when there is another one
 */
export async function alone(client: Client, service: string): Promise<void> {
  const { rows } = await client.query<{ alone: boolean }>(
    `SELECT pg_try_advisory_lock(hashtext($1)) AS alone`,
    [`rebuild ${service}`],
  );
  if (rows[0]?.alone !== true) throw new Error(`another rebuild of ${service} is running`);
}
