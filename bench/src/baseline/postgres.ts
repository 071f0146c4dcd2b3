// The limit of Postgres itself, measured by pgbench where it is installed.

import type { Stack } from '@practice/dev';
import type { Scenario } from '../scenario.js';
import type { Practice } from '../seed/seed.js';
import type { Sizes } from '../sizes.js';
import { findPgbench, runPgbench } from './pgbench.js';
import { readScripts, writeScripts } from './scripts.js';
import type { Scripts } from './scripts.js';

/** Reads are done as fast as two or three of them can keep the cores busy; commits share a flush, so more of them wait. */
const READING_CLIENTS = 8;
const WRITING_CLIENTS = 16;

export interface PostgresInput {
  readonly stack: Stack;
  readonly practices: readonly Practice[];
  readonly pgbench: Sizes['pgbench'];
  readonly signal: AbortSignal;
  /** The PATH to look for pgbench in. */
  readonly path: string;
}

/** How Postgres' own limit is measured, and with what. */
export function postgresRates({ stack, practices, pgbench, signal, path }: PostgresInput): {
  readonly tool: string;
  readonly rates: (scenario: Scenario, round: number) => Promise<Readonly<Record<string, number>>>;
} {
  const program = findPgbench(path);
  if (program === undefined) return { tool: 'not measured: pgbench was not found', rates: async () => ({}) };
  const databaseUrl = stack.databaseUrl('scheduling_owner');
  let runs = 0;
  const rate = (scripts: Scripts, clients: number): Promise<number> =>
    runPgbench(program, { databaseUrl, clients, seconds: pgbench?.seconds ?? 0, ...scripts, signal });
  const write = (scenario: 'book' | 'change', way: 'bare' | 'plain'): Promise<number> =>
    rate(writeScripts({ scenario, way }, practices, ++runs), WRITING_CLIENTS);
  return {
    tool: 'pgbench',
    rates: async (scenario, round) => {
      if (pgbench === undefined || round >= pgbench.rounds) return {};
      switch (scenario) {
        case 'book':
        case 'change':
          return { bare: await write(scenario, 'bare'), plain: await write(scenario, 'plain') };
        case 'day':
        case 'list':
        case 'search':
        case 'notes':
        case 'expenses':
          return { bare: await rate(readScripts(scenario, practices), READING_CLIENTS) };
        default:
          return {};
      }
    },
  };
}
