import { keepsVersions, type Resource, versionsName } from '@practice/resource';
import type { Client } from 'pg';
import { ledgersOf } from '@practice/storage';
import { tableIn } from './folded-ledger.js';

/** A row of a read table, or a replaced version, that differs from the log. Lists the names of the columns, never their values. */
export interface Difference {
  readonly resource: string;
  readonly therapistId: string;
  readonly id: string;
  readonly kind: 'missing' | 'not in the log' | 'differs';
  readonly columns: readonly string[];
}

/** A table whose rows are folded from the log. */
export interface FoldedTable {
  readonly name: string;
  /** The columns that identify a row within a practice. */
  readonly key: readonly string[];
}

/** The folded tables of these resources: the read tables, the replaced versions and the ledgers. */
export const foldedTables = (resources: readonly Resource[]): FoldedTable[] => [
  ...resources.flatMap((resource) => [
    { name: resource.name, key: ['id'] },
    ...(keepsVersions(resource) ? [{ name: versionsName(resource.name), key: ['id', 'version'] }] : []),
  ]),
  ...ledgersOf(resources).map(({ name }) => ({ name, key: ['id'] })),
];

/** Compares a live table with the table that was folded from the log. */
export async function differences(
  client: Client,
  { name, key }: FoldedTable,
  schemas: { readonly live: string; readonly folded: string },
): Promise<Difference[]> {
  const [table, folded] = [tableIn(schemas.live, name), tableIn(schemas.folded, name)];
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

/** The columns that both tables have. Comparing rows by columns costs a fifth of comparing them as JSON. */
async function commonColumns(client: Client, ...tables: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = ANY ($1::regclass[]) AND attnum > 0 AND NOT attisdropped
     GROUP BY attname HAVING count(*) = $2 ORDER BY min(attnum)`,
    [tables, tables.length],
  );
  return rows.map(({ name }) => name);
}
