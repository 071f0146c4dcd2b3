// The new tables of a rebuild, and a table with the practices that they have already, so that a rebuild that was killed goes on.
// Indexes and exclusions are made when the rows are there, which costs less than one row at a time.

import { createHash } from 'node:crypto';
import type { Resource } from '@practice/resource';
import type { Client } from 'pg';
import { openDataSource, readTableDdl, statementsOf, type TableConstraints } from '@practice/storage';
import { rememberShape } from './row-shape.js';

export interface NewTables {
  readonly schema: string;
  readonly tables: readonly string[];
  readonly constraints: readonly TableConstraints[];
}

/** DDL for the read tables of a service in another schema. */
export async function newTables(
  input: { readonly service: string; readonly url: string; readonly resources: readonly Resource[] },
  schema: string,
): Promise<NewTables> {
  const dataSource = await openDataSource({ ...input, schema });
  try {
    const { tables, constraints } = await readTableDdl(dataSource, input.resources);
    const shapes = input.resources.map((resource) => rememberShape(resource, schema));
    return { schema, tables: [...tables, ...shapes], constraints };
  } finally {
    await dataSource.destroy();
  }
}

/**
 * Makes the tables, unless a rebuild that was killed has left them.
 * @returns the practices that they have, each with the state of its log
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

/** The state of tables without indexes that follow from these definitions. */
const stateOf = ({ tables, constraints }: NewTables): string =>
  `folding ${createHash('sha256')
    .update([...tables, ...statementsOf(constraints)].join())
    .digest('hex')}`;

/**
 * Makes exclusions and indexes, several at the same time: indexes of a table after its exclusions, which lock it. From here on, a
 * rebuild that is killed begins again.
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

/** Runs statements on these connections, each series on one of them. */
async function share(clients: readonly Client[], series: readonly (readonly string[])[]): Promise<void> {
  const queue = [...series];
  await Promise.all(
    clients.map(async (client) => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift())
        for (const statement of next) await client.query(statement);
    }),
  );
}

/** Notes the state of the log in which a practice was folded; null if it has no log any more. */
export const noteFolded = (schema: string, practice: string, mark: string | null) =>
  mark === null
    ? { text: `DELETE FROM ${schema}.folded WHERE therapist_id = $1`, values: [practice] }
    : {
        text: `INSERT INTO ${schema}.folded VALUES ($1, $2) ON CONFLICT (therapist_id) DO UPDATE SET mark = excluded.mark`,
        values: [practice, mark],
      };
