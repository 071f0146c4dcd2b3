// Practices by the hundred thousand: copies of one that was made over HTTP, with its log, its rows and its records in the mirrors
// of other services. Each key begins with the practice, so copies keep all other ids.

import type { Client } from 'pg';

interface Table {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** Tables whose rows only matter while something is under way. */
const TRANSIENT = ['outbox', 'deletion_marks', 'idempotency'];
/** Types of columns whose values may contain the practice. */
const DOCUMENTS = ['json', 'jsonb', 'text'];
/** The practices of one statement. */
const AT_ONCE = 1_000;

/**
 * Copies a practice.
 * @param ids of the copies
 * @param schemas of the services that hold something of it
 */
export async function copyPractice(
  admin: Client,
  { id, ids, schemas }: { id: string; ids: readonly string[]; schemas: readonly string[] },
  signal: AbortSignal,
): Promise<void> {
  // The operators of exclusion constraints are there.
  await admin.query('SET search_path = extensions, public');
  const tables = await tablesOf(admin, schemas);
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    for (const table of tables) {
      signal.throwIfAborted();
      await admin.query(copySql(table), [ids.slice(at, at + AT_ONCE), id]);
    }
  }
}

async function tablesOf(admin: Client, schemas: readonly string[]): Promise<Table[]> {
  const { rows } = await admin.query<Table>(
    `SELECT format('%I.%I', c.table_schema, c.table_name) AS name,
       json_agg(json_build_object('name', quote_ident(c.column_name), 'type', c.data_type) ORDER BY c.ordinal_position) AS columns
     FROM information_schema.columns AS c JOIN information_schema.tables AS t USING (table_schema, table_name)
     WHERE c.table_schema = ANY ($1) AND t.table_type = 'BASE TABLE' AND c.table_name <> ALL ($2)
     GROUP BY c.table_schema, c.table_name HAVING bool_or(c.column_name = 'therapist_id')`,
    [schemas, TRANSIENT],
  );
  return rows;
}

function copySql({ name, columns }: Table): string {
  const values = columns.map(({ name: column, type }) => {
    if (column === 'therapist_id') return 'copy.id';
    return DOCUMENTS.includes(type)
      ? `replace(t.${column}::text, $2::text, copy.id::text)::${type}`
      : `t.${column}`;
  });
  return `INSERT INTO ${name} (${columns.map(({ name: column }) => column).join(', ')})
SELECT ${values.join(', ')} FROM unnest($1::uuid[]) AS copy(id), ${name} AS t WHERE t.therapist_id = $2::uuid`;
}
