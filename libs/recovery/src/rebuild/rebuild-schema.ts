import { schemaOf } from '@practice/core';
import { tryLock } from '@practice/log';
import type { Client } from 'pg';

/**
 * Runs a rebuild with its own schema next to the service's schema. The schema is dropped when the rebuild ends or fails. A rebuild
 * that is killed leaves its schema, and the next rebuild continues with it.
 * @throws {Error} when another rebuild of the service is running, since that rebuild would lose its tables
 */
export async function withRebuildSchema<T>(
  client: Client,
  service: string,
  work: (schema: string) => Promise<T>,
): Promise<T> {
  const schema = `${schemaOf(service)}_rebuild`;
  if (!(await tryLock(client, `rebuild ${service}`)))
    throw new Error(`another rebuild of ${service} is running`);
  try {
    return await work(schema);
  } finally {
    await client.query('ROLLBACK');
    await client.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
  }
}
