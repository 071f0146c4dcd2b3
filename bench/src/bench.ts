// `npm run bench`, once everything is built: starts the stack, seeds it, measures it beside the baselines, prints the results.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stagesShownBy, startStack } from '@practice/dev';
import type { Stack, Stages } from '@practice/dev';
import { against } from './against/against.js';
import { searchPath, settingsFor } from './bench.config.js';
import { check } from './check.js';
import { readFlags } from './flags.js';
import type { Flags } from './flags.js';
import { measureFlood } from './flood.js';
import { growth, newSecret } from './growth/growth.js';
import { fullGrowth, quickGrowth } from './growth/sizes.js';
import { growthTable } from './growth/table.js';
import { startLoad } from './load/load.js';
import { machine } from './machine.js';
import type { Bench } from './measurement.js';
import { connectAdmin, postgresRates } from './postgres.js';
import { watchForQuiet } from './quiet.js';
import { asJson } from './report/json.js';
import type { Outcome } from './report/outcome.js';
import { table } from './report/table.js';
import { runRounds } from './rounds.js';
import type { Measured } from './rounds.js';
import { seed } from './seed/seed.js';
import type { Practice } from './seed/seed.js';
import { sidesOf } from './sides.js';
import { fullSizes, quickSizes } from './sizes.js';
import type { Sizes } from './sizes.js';
import { createMemory } from './usage.js';
import { startBare } from './baseline/bare.js';
import { copyTables, letBaselinesRead, settle } from './baseline/schema.js';

/** Runs the benchmark and prints the results. Everything that it started is stopped at the end, also after an error. */
export async function bench(args: readonly string[]): Promise<void> {
  const flags = readFlags(args);
  // With `npm run bench | head` the reader ends early: everything is still stopped in order.
  process.stdout.on('error', () => undefined);
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort());
  const closing: (() => unknown)[] = [];
  try {
    const { signal } = stopping;
    if (flags.against === undefined) await (flags.growth ? runGrowth : run)(flags, signal, closing);
    else await against(flags.against, { flags, signal, closing, say });
  } catch (error) {
    process.exitCode = 1;
    if (!stopping.signal.aborted)
      process.stderr.write(`\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

async function run(flags: Flags, signal: AbortSignal, closing: (() => unknown)[]): Promise<void> {
  const sizes = sizesOf(flags);
  const stages = stagesShownBy(say);
  const stack = await startOwnStack(signal, closing, '');
  const admin = await connectAdmin(stack.adminDatabaseUrl);
  closing.push(() => admin.end());
  const practices = await stages.run(
    `Seed (${sizes.practices} practices × ${sizes.appointmentsPerPractice} appointments)`,
    () => seed(stack, sizes, signal),
  );
  const quiet = await watchForQuiet(admin, stack.natsUrl('admin'), signal);
  closing.push(quiet.close);
  await stages.run('All subscriptions have processed the events', quiet.reached);
  await letBaselinesRead(admin);
  const { bare, load } = await startOthers(stack, stages, closing);
  const sides = sidesOf({ stack, practices, sizes, bare, quiet });
  await stages.run('Both sides return the same rows', () => check(sides, sizes));
  await stages.run('Copy of the tables, statistics', async () => {
    await copyTables(admin);
    await settle(admin);
  });
  const memory = createMemory(() => stack.processes().filter(({ name }) => name !== 'postgres'));
  closing.push(memory.stop);
  const postgres = postgresRates({ stack, practices, sizes, signal, path: searchPath() });
  const measured = await measureAll(
    { load, sizes, signal },
    { sides, postgres: postgres.rates, settle: () => settle(admin), stack, practices },
  );
  const outcome = {
    machine: await machine(admin),
    sizes,
    postgres: postgres.tool,
    ...measured,
    memory: memory.peak(),
  };
  say(table(outcome));
  if (flags.json !== undefined) writeFileSync(flags.json, asJson(outcome));
}

interface Everything extends Measured {
  readonly stack: Stack;
  readonly practices: readonly Practice[];
}

async function measureAll(
  bench: Bench,
  { stack: { baseUrl, apikey }, practices, ...measured }: Everything,
): Promise<Pick<Outcome, 'results' | 'flood'>> {
  const began = performance.now();
  const tell = (line: string): void =>
    say(
      `  Measured: ${line}`.padEnd(61) + `${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s`,
    );
  const results = await runRounds(bench, measured, tell);
  const { flood } = bench.sizes;
  if (flood === undefined) return { results };
  const { origin } = new URL(baseUrl);
  const flooded = await measureFlood(bench, { origin, apikey, practices, flood });
  tell('one practice floods');
  return { results, flood: flooded };
}

async function runGrowth(flags: Flags, signal: AbortSignal, closing: (() => unknown)[]): Promise<void> {
  const sizes = flags.quick ? quickGrowth : fullGrowth;
  const secret = newSecret();
  const stack = await startOwnStack(signal, closing, secret);
  const admin = await connectAdmin(stack.adminDatabaseUrl);
  closing.push(() => admin.end());
  const stages = stagesShownBy(say);
  const steps = await growth({ stack, admin, secret, sizes, stages, signal, closing });
  const where = await machine(admin);
  say(growthTable(where, steps));
  if (flags.json !== undefined)
    writeFileSync(flags.json, `${JSON.stringify({ machine: where, sizes, growth: steps }, null, 2)}\n`);
}

function sizesOf({ quick, connections }: Flags): Sizes {
  const sizes = quick ? quickSizes : fullSizes;
  return connections === undefined ? sizes : { ...sizes, connections };
}

async function startOwnStack(
  signal: AbortSignal,
  closing: (() => unknown)[],
  sharedSecret: string,
): Promise<Stack> {
  const dataDir = mkdtempSync(join(tmpdir(), 'practice-bench-'));
  closing.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const stack = await startStack({ settings: settingsFor(dataDir, sharedSecret), print: say, signal });
  closing.push(stack.stop);
  return stack;
}

async function startOthers(stack: Stack, stages: Stages, closing: (() => unknown)[]) {
  return stages.run('Bare server, load', async () => {
    const bare = await startBare(stack.databaseUrl('scheduling_owner'));
    closing.push(bare.stop);
    const load = startLoad();
    closing.push(load.stop);
    return { bare, load };
  });
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
