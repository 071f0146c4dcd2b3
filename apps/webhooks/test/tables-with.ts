import type { ClientBase } from 'pg';

/** The tables of webhooks and identity that have a text anywhere. */
export async function tablesWith(admin: ClientBase, text: string): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('webhooks', 'identity')`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await admin.query(`SELECT FROM ${name} AS t WHERE strpos(t::text, $1) > 0 LIMIT 1`, [
      text,
    ]);
    if (rowCount === 1) found.push(name);
  }
  return found;
}
