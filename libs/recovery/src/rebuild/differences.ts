import { type Resource, versionsName } from '@practice/resource';
import type { Client } from 'pg';
import { tablesOf } from '@practice/storage';

/** A row of a read table, or a replaced version, that differs from the log. It names the columns, never their values. */
export interface Difference {
  readonly resource: string;
  readonly therapistId: string;
  readonly id: string;
  readonly kind: 'missing' | 'not in the log' | 'differs';
  readonly columns: readonly string[];
}

/** Compares a read table with the table that was folded from the log. */
export async function differences(client: Client, live: Resource, folded: Resource): Promise<Difference[]> {
  const [table, versions] = tablesOf(live);
  const [foldedTable, foldedVersions] = tablesOf(folded);
  const found = await between(client, live.name, { table, folded: foldedTable, key: ['id'] });
  if (versions === undefined) return found;
  const ofVersions = { table: versions, folded: foldedVersions, key: ['id', 'version'] };
  return [...found, ...(await between(client, versionsName(live.name), ofVersions))];
}

interface Compared {
  readonly table: string | undefined;
  readonly folded: string | undefined;
  /** Identifies a row within a practice. */
  readonly key: readonly string[];
}

/** Compares two tables. */
export async function between(
  client: Client,
  name: string,
  { table, folded, key }: Compared,
): Promise<Difference[]> {
  const columns = await commonColumns(client, table, folded);
  const listOf = (alias: string, names: readonly string[]): string =>
    names.map((each) => `${alias}."${each}"`).join();
  const joined = ['therapist_id', ...key];
  const { rows } = await client.query<Difference>(
    `SELECT $1 AS resource, coalesce(l.therapist_id, f.therapist_id) AS "therapistId", coalesce(l.id, f.id) AS id,
       CASE WHEN l.id IS NULL THEN 'missing' WHEN f.id IS NULL THEN 'not in the log' ELSE 'differs' END AS kind,
       coalesce((SELECT array_agg(a.key ORDER BY a.key) FROM jsonb_each(to_jsonb(l)) a JOIN jsonb_each(to_jsonb(f)) b USING (key)
         WHERE a.value IS DISTINCT FROM b.value), '{}') AS columns
     FROM ${table} l FULL JOIN ${folded} f ON (${listOf('l', joined)}) = (${listOf('f', joined)})
     WHERE (${listOf('l', columns)}) IS DISTINCT FROM (${listOf('f', columns)})
     ORDER BY 2, 3`,
    [name],
  );
  return rows;
}

/** The columns that both tables have. Rows are compared by them: it costs a fifth of a comparison of rows as JSON. */
async function commonColumns(client: Client, ...tables: readonly (string | undefined)[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = ANY ($1::regclass[]) AND attnum > 0 AND NOT attisdropped
     GROUP BY attname HAVING count(*) = $2 ORDER BY min(attnum)`,
    [tables, tables.length],
  );
  return rows.map(({ name }) => name);
}
