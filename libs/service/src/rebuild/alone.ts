import { schemaOf } from '@practice/core';
import type { Client } from 'pg';

/**
 * Runs a rebuild in a schema beside the service's, which is there for it alone and gone afterwards however it ends.
 * @throws {Error} when another rebuild of the service is running: it would be robbed of its tables
 */
export async function aloneBeside<T>(
  client: Client,
  service: string,
  work: (schema: string) => Promise<T>,
): Promise<T> {
  const schema = `${schemaOf(service)}_rebuild`;
  const { rows } = await client.query<{ alone: boolean }>(
    `SELECT pg_try_advisory_lock(hashtext($1)) AS alone`,
    [`rebuild ${service}`],
  );
  if (rows[0]?.alone !== true) throw new Error(`another rebuild of ${service} is running`);
  try {
    // One that was killed may have left its own.
    await client.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
    await client.query(`CREATE SCHEMA "${schema}"`);
    return await work(schema);
  } finally {
    await client.query('ROLLBACK');
    await client.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
  }
}
