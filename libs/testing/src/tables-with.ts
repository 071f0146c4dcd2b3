import { serviceNames } from '@practice/contracts';
import { schemaOf } from '@practice/core';
import type { Client } from 'pg';

/**
 * The tables that contain a text, each with the number of rows that contain it.
 * @param admin a connection that may read every table
 * @param services the services whose tables are searched; all by default
 */
export async function tablesWith(
  admin: Client,
  text: string,
  services: readonly string[] = serviceNames,
): Promise<Readonly<Record<string, number>>> {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = ANY ($1)`,
    [services.map(schemaOf)],
  );
  const found: Record<string, number> = {};
  for (const { name } of rows) {
    const { rowCount } = await admin.query(`SELECT FROM ${name} AS t WHERE strpos(t::text, $1) > 0`, [text]);
    if (rowCount !== null && rowCount > 0) found[name] = rowCount;
  }
  return found;
}
