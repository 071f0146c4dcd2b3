// Reseals the secrets in private tables with the newest key-encryption key, while the service runs.

import { schemaOf } from '@practice/core';
import { Keyring } from '@practice/log';
import type { ClientBase } from 'pg';

/** A column with sealed secrets in a private table. */
export interface SealedColumn {
  readonly purpose: string;
  readonly table: string;
  readonly column: string;
  /** The column whose value is the id of the seal. */
  readonly id: string;
}

/**
 * @param client a connection as the owner of the schema
 * @param setting the key-encryption keys, in the format of `Keyring`
 * @returns the number of resealed secrets, and the number of secrets that no key-encryption key opens, which are not changed
 */
export async function sealColumnsAgain(
  client: ClientBase,
  { service, columns }: { readonly service: string; readonly columns: readonly SealedColumn[] },
  setting: string,
) {
  let [sealed, unopened] = [0, 0];
  for (const { purpose, table: name, column, id } of columns) {
    const keys = new Keyring(setting, purpose);
    const table = `"${schemaOf(service)}".${name}`;
    const { rows } = await client.query<{ id: string; old: string }>(
      `SELECT ${id}::text AS id, ${column} AS old FROM ${table} WHERE ${column} IS NOT NULL`,
    );
    const stale = rows.filter((row) => !keys.isCurrent(row.old, row.id));
    const opened = stale.flatMap((row) => {
      const secret = keys.find(row.old, row.id);
      return secret === undefined ? [] : [{ ...row, again: keys.seal(secret, row.id) }];
    });
    unopened += stale.length - opened.length;
    const { rowCount } = await client.query(
      `UPDATE ${table} AS t SET ${column} = s.again
       FROM unnest($1::text[], $2::text[], $3::text[]) AS s (id, old, again)
       WHERE t.${id}::text = s.id AND t.${column} = s.old`,
      [opened.map((row) => row.id), opened.map(({ old }) => old), opened.map(({ again }) => again)],
    );
    sealed += rowCount ?? 0;
  }
  return { sealed, unopened };
}
