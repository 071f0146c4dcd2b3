// The limit of Postgres itself, measured by pgbench where it is installed.

import type { Stack } from '@practice/dev';
import pg from 'pg';
import type { Postgres } from './rounds.js';
import { isAskedAlone } from './scenario.js';
import type { AskedAlone } from './scenario.js';
import type { Practice } from './seed/seed.js';
import type { Sizes } from './sizes.js';
import { findPgbench, runPgbench } from './baseline/pgbench.js';
import { scriptsOf } from './baseline/scripts.js';

export interface PostgresInput {
  readonly stack: Stack;
  readonly practices: readonly Practice[];
  readonly sizes: Sizes;
  readonly signal: AbortSignal;
  /** The PATH to look for pgbench in. */
  readonly path: string;
}

/** Reads are done as fast as two or three of them can keep the cores busy; commits share a flush, so more of them wait. */
const CLIENTS: Record<AskedAlone, number> = {
  day: 8,
  list: 8,
  book: 16,
  change: 16,
  search: 8,
  notes: 8,
  expenses: 8,
};

/** A connection as the database's owner; the caller ends it. */
export async function connectAdmin(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** How Postgres' own limit is measured, and with what. */
export function postgresRates(input: PostgresInput): { readonly tool: string; readonly rates: Postgres } {
  const { stack, sizes, signal, path } = input;
  const pgbench = findPgbench(path);
  const databaseUrl = stack.databaseUrl('scheduling_owner');
  let runs = 0;
  if (pgbench === undefined) return { tool: 'not measured: pgbench was not found', rates: async () => ({}) };
  const run = (scenario: AskedAlone, scripts: readonly string[]): Promise<number> => {
    const { variables } = scriptsOf(scenario, input.practices, ++runs);
    const clients = CLIENTS[scenario];
    const order = { databaseUrl, clients, seconds: sizes.pgbenchSeconds, scripts, variables, signal };
    return runPgbench(pgbench, order);
  };
  return {
    tool: 'pgbench',
    rates: async (scenario) => {
      if (!isAskedAlone(scenario)) return {};
      const { same, plain } = scriptsOf(scenario, input.practices, 0);
      const bare = await run(scenario, same);
      return plain === undefined ? { bare } : { bare, plain: await run(scenario, plain) };
    },
  };
}
