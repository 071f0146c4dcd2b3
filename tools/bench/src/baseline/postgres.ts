// The limit of Postgres itself in reads, measured by pgbench where it is installed.

import type { Stack } from '@practice/start';
import type { Scenario } from '../scenario.js';
import type { Practice } from '../seed/seed.js';
import type { Sizes } from '../sizes.js';
import { findPgbench, runPgbench } from './pgbench.js';
import { measuredReads, readScripts } from './scripts.js';

/** Reads are done as fast as two or three of them can keep the cores busy. */
const CLIENTS = 8;

interface PostgresInput {
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
  readonly rate: (scenario: Scenario, round: number) => Promise<number | undefined>;
} {
  const program = findPgbench(path);
  if (program === undefined)
    return { tool: 'not measured: pgbench was not found', rate: () => Promise.resolve(undefined) };
  const databaseUrl = stack.databaseUrl('scheduling_owner');
  return {
    tool: 'pgbench',
    rate: async (scenario, round) => {
      const read = measuredReads.find((name) => name === scenario);
      if (read === undefined || pgbench === undefined || round >= pgbench.rounds) return undefined;
      const { seconds } = pgbench;
      return runPgbench(program, {
        databaseUrl,
        clients: CLIENTS,
        seconds,
        ...readScripts(read, practices),
        signal,
      });
    },
  };
}
