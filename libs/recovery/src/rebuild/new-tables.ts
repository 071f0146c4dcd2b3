// The new tables of a rebuild, and a table of the practices that are already folded, so that the next rebuild can continue one that
// was killed. Indexes and exclusions are created after the rows, which costs less than updating them with each row.

import { createHash } from 'node:crypto';
import type { Resource } from '@practice/resource';
import type { Client } from 'pg';
import { openDataSource, readTableDdl, statementsOf } from '@practice/storage';
import { rememberShape } from './row-shape.js';

/** DDL for the read tables of a service in another schema. */
export async function newTables(
  input: { readonly service: string; readonly url: string; readonly resources: readonly Resource[] },
  schema: string,
) {
  const dataSource = await openDataSource({ ...input, schema });
  try {
    const { tables, constraints } = await readTableDdl(dataSource, input.resources);
    const shapes = input.resources.map((resource) => rememberShape(resource, schema));
    return { schema, tables: [...tables, ...shapes], constraints };
  } finally {
    await dataSource.destroy();
  }
}

type NewTables = Awaited<ReturnType<typeof newTables>>;

/**
 * Creates the tables, unless a rebuild that was killed has left them.
 * @returns the practices that are already folded, each with the state of its log
 */
export async function createTables(
  client: Client,
  plan: NewTables,
): Promise<readonly (readonly [practice: string, mark: string])[]> {
  const { schema, tables } = plan;
  const found = await client.query<{ state: string | null }>(
    `SELECT obj_description(to_regclass($1), 'pg_class') AS state`,
    [`${schema}.folded`],
  );
  if (found.rows[0]?.state === stateOf(plan)) {
    const { rows } = await client.query<{ id: string; mark: string }>(
      `SELECT therapist_id AS id, mark FROM ${schema}.folded`,
    );
    return rows.map(({ id, mark }) => [id, mark]);
  }
  if (schema !== 'pg_temp') await recreate(client, schema);
  for (const statement of tables) await client.query(statement);
  await client.query(`CREATE TABLE ${schema}.folded (therapist_id uuid PRIMARY KEY, mark text NOT NULL)`);
  await client.query(`COMMENT ON TABLE ${schema}.folded IS '${stateOf(plan)}'`);
  return [];
}

async function recreate(client: Client, schema: string): Promise<void> {
  await client.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
  await client.query(`CREATE SCHEMA "${schema}"`);
}

/** The comment that marks tables with these definitions that do not have their indexes yet. */
const stateOf = ({ tables, constraints }: NewTables): string =>
  `folding ${createHash('sha256')
    .update([...tables, ...statementsOf(constraints)].join())
    .digest('hex')}`;

/**
 * Creates exclusions and indexes in parallel. A table gets its indexes after its exclusions, because these lock it. If the rebuild
 * is killed from here on, the next one begins again.
 */
export async function addConstraints(
  clients: readonly Client[],
  { schema, constraints }: NewTables,
): Promise<void> {
  await clients[0]?.query(`COMMENT ON TABLE ${schema}.folded IS NULL`);
  const exclusions = constraints.map((table) => table.exclusions).filter(({ length }) => length > 0);
  const indexes = (isLocked: boolean): string[][] =>
    constraints
      .filter((table) => table.exclusions.length > 0 === isLocked)
      .flatMap((table) => table.indexes.map((index) => [index]));
  await share(clients, [...exclusions, ...indexes(false)]);
  await share(clients, indexes(true));
}

/** Runs series of statements in parallel. Each series runs on one of the connections. */
async function share(clients: readonly Client[], series: readonly (readonly string[])[]): Promise<void> {
  const queue = [...series];
  await Promise.all(
    clients.map(async (client) => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift())
        for (const statement of next) await client.query(statement);
    }),
  );
}

/** SQL that stores the state of the log in which a practice was folded. `mark` is null if its log no longer exists. */
export const noteFolded = (schema: string, practice: string, mark: string | null) =>
  mark === null
    ? { text: `DELETE FROM ${schema}.folded WHERE therapist_id = $1`, values: [practice] }
    : {
        text: `INSERT INTO ${schema}.folded VALUES ($1, $2) ON CONFLICT (therapist_id) DO UPDATE SET mark = excluded.mark`,
        values: [practice, mark],
      };
