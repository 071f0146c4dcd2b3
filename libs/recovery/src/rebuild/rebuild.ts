// Folds a service's log into new read tables, then compares them with the live tables, and replaces the live tables unless it only
// checks. Reads never wait. Writes wait only at the end, while the events that were committed in the meantime are folded, and then at
// most 1.5 s at a time for long reads.

import { setTimeout as pause } from 'node:timers/promises';
import { schemaOf } from '@practice/core';
import { logTable, withOpenClient } from '@practice/log';
import type { Resource } from '@practice/resource';
import type { Client, DatabaseError } from 'pg';
import { differences, foldedTables, type Difference } from './differences.js';
import { tableIn } from './folded-ledger.js';
import { foldNew, type Folding, type FoldProgress } from './fold-new.js';
import { addConstraints, createTables, newTables } from './new-tables.js';
import { withRebuildSchema } from './rebuild-schema.js';
import { withWorkers } from './workers.js';

export interface RebuildInput {
  readonly service: string;
  /** The connection string of the schema's owner. */
  readonly url: string;
  readonly resources: readonly Resource[];
  /** Whether to only compare. The folded tables are temporary then, and nothing is changed. */
  readonly check: boolean;
  /** Called after each practice. */
  readonly onProgress?: (progress: FoldProgress) => void;
}

/**
 * Rebuilds (or checks) the read tables of a service from its log. A rebuild continues an earlier one that was killed.
 * @returns how the live tables differed
 */
export function rebuild(input: RebuildInput) {
  const { service, url, check } = input;
  const config = { connectionString: url, application_name: `${service} rebuild`, statement_timeout: 0 };
  return withOpenClient(config, (client) => (check ? foldAndCompare : foldAndSwap)(client, input));
}

export type RebuildReport = Awaited<ReturnType<typeof rebuild>>;

async function foldAndCompare(client: Client, input: RebuildInput) {
  const plan = await newTables(input, 'pg_temp');
  const folding = foldingOf(input, 'pg_temp');
  await createTables(client, plan);
  await foldNew([client], folding);
  await addConstraints([client], plan);
  return { practices: folding.folded.size, differences: await compare(client, folding) };
}

function foldAndSwap(client: Client, input: RebuildInput) {
  const { service, url } = input;
  return withRebuildSchema(client, service, async (schema) => {
    await client.query('SET synchronous_commit = off');
    const folding = foldingOf(input, schema);
    const plan = await newTables(input, schema);
    for (const [practice, mark] of await createTables(client, plan)) folding.folded.set(practice, mark);
    await withWorkers(service, url, async (workers) => {
      await foldNew([client, ...workers], folding);
      await addConstraints([client, ...workers], plan);
    });
    const found = await compare(client, folding);
    await swap(client, folding);
    return { practices: folding.folded.size, differences: found };
  });
}

const foldingOf = ({ service, resources, onProgress }: RebuildInput, schema: string): Folding => ({
  service,
  resources,
  schema,
  tables: resources.map((resource) => ({ ...resource, service: schema })),
  folded: new Map(),
  onProgress: onProgress ?? (() => undefined),
});

/** Compares the log with the live tables. It uses one snapshot, so that no writer has to wait. */
async function compare(client: Client, folding: Folding): Promise<Difference[]> {
  const { service, schema, resources } = folding;
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await foldNew([client], folding, 'open');
  const schemas = { live: schemaOf(service), folded: schema };
  const found: Difference[] = [];
  for (const table of foldedTables(resources)) found.push(...(await differences(client, table, schemas)));
  await client.query('COMMIT');
  return found;
}

/** How long writers go on between two attempts to replace the live tables. */
const GIVES_WAY_MS = 2_000;

/** Replaces the live tables as soon as no read uses them any longer. */
async function swap(client: Client, folding: Folding): Promise<void> {
  while (!(await hasSwapped(client, folding))) {
    await pause(GIVES_WAY_MS);
    // Writers need not wait for these events in the next attempt.
    await foldNew([client], folding);
  }
}

/** Writers wait for the lock of `practice_head` until the last events are folded. @returns false if a read uses a live table */
async function hasSwapped(client: Client, folding: Folding): Promise<boolean> {
  const { service, schema, resources } = folding;
  const folded = new Map(folding.folded);
  await client.query('BEGIN; SET LOCAL synchronous_commit = on');
  await client.query(`LOCK TABLE ${logTable(service, 'practice_head')} IN EXCLUSIVE MODE`);
  await foldNew([client], folding, 'open');
  const live = schemaOf(service);
  const names = foldedTables(resources).map(({ name }) => name);
  const tables = names.map((name) => tableIn(live, name));
  if (!(await hasLocked(client, tables))) {
    await client.query('ROLLBACK');
    folding.folded.clear();
    for (const [practice, mark] of folded) folding.folded.set(practice, mark);
    return false;
  }
  for (const name of names) {
    const [table, made] = [tableIn(live, name), tableIn(schema, name)];
    await keepDefaults(client, table, made);
    await client.query(`DROP TABLE ${table}`);
    await client.query(`ALTER TABLE ${made} SET SCHEMA "${live}"`);
  }
  await client.query('COMMIT');
  return true;
}

/** Longer than Postgres waits before it cancels an autovacuum or looks for a deadlock. */
const LOCKED_WITHIN = '1500ms';

/**
 * Locks the live tables. A read of several tables may have one of them and wait for another, and writers wait for the swap. So the swap
 * does not keep the locks that it has while it waits for the others any longer, but gives all of them up and begins again.
 */
async function hasLocked(client: Client, tables: readonly string[]): Promise<boolean> {
  await client.query(`SET LOCAL lock_timeout = '${LOCKED_WITHIN}'`);
  const isLocked = await client.query(`LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE`).then(
    () => true,
    (error: Partial<DatabaseError>) => {
      if (!LOCK_REFUSED.has(error.code)) throw error;
      return false;
    },
  );
  if (isLocked) await client.query('SET LOCAL lock_timeout TO DEFAULT');
  return isLocked;
}

/** `lock_not_available` and `deadlock_detected`. */
const LOCK_REFUSED: ReadonlySet<string | undefined> = new Set(['55P03', '40P01']);

/** Copies the defaults of a live table. The previous release needs them: it may run during an upgrade and not know all columns. */
async function keepDefaults(client: Client, live: string, made: string): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `SELECT format('ALTER TABLE %s ALTER COLUMN %I SET DEFAULT %s', $2::text, a.attname, pg_get_expr(d.adbin, d.adrelid)) AS statement
     FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
     WHERE d.adrelid = $1::regclass AND a.attgenerated = ''
       AND EXISTS (SELECT FROM pg_attribute n WHERE n.attrelid = $2::regclass AND n.attname = a.attname)`,
    [live, made],
  );
  for (const { statement } of rows) await client.query(statement);
}
