// The product beside the baselines: seeds the stack, measures every side in turn, prints the results with their targets.

import type { Stack } from '@practice/start';
import { copyTables, letBaselinesRead, settle } from './baseline/copy.js';
import { postgresRates } from './baseline/postgres.js';
import { searchPath } from './bench.config.js';
import { FREE_BEGINS } from './calendar.js';
import { check } from './check.js';
import { machine } from './machine.js';
import type { Side } from './measurement.js';
import { watchForQuiet } from './quiet.js';
import { summaries } from './report/summary.js';
import { table } from './report/table.js';
import { askingBare, askingProduct } from './requests.js';
import { runRounds } from './rounds.js';
import { progress, startOwnLoad, startOwnStack, writeJson } from './run.js';
import type { Run } from './run.js';
import { facts } from './scenario.js';
import type { Scenario } from './scenario.js';
import { createRequests } from './scenarios.js';
import { seed } from './seed/seed.js';
import type { Practice } from './seed/seed.js';
import { fullSizes, quickSizes, sizesWith } from './sizes.js';
import type { Sizes } from './sizes.js';
import { createMemory } from './usage.js';
import { startWorker } from './worker.js';

export async function beside(run: Run): Promise<void> {
  const { flags, stages, signal, closing } = run;
  const sizes = sizesWith(flags, flags.quick ? quickSizes : fullSizes);
  const { stack, admin } = await startOwnStack(run);
  const practices = await stages.run(
    `Seed (${sizes.practices} practices × ${sizes.appointmentsPerPractice} appointments)`,
    () => seed(stack, sizes, signal),
  );
  const quiet = await watchForQuiet(admin, stack.natsUrl('admin'), signal);
  closing.push(quiet.close);
  await stages.run('All subscriptions have processed the events', quiet.reached);
  await letBaselinesRead(admin);
  const bare = await startBare(run, stack.databaseUrl('scheduling_owner'));
  const sides = sidesOf({ stack, bare, settled: quiet.reached }, { practices, sizes });
  await stages.run('Both sides return the same rows', () => check(sides, sizes));
  await stages.run('Copy of the tables, statistics', async () => {
    await copyTables(admin);
    await settle(admin);
  });
  const postgres = postgresRates({ stack, practices, pgbench: sizes.pgbench, signal, path: searchPath() });
  const memory = createMemory(() => stack.processes().filter(({ name }) => name !== 'postgres'));
  closing.push(memory.stop);
  const results = await runRounds(
    { load: startOwnLoad(run), sizes, signal },
    {
      sidesFor: (scenario, load) => sides.filter(({ name }) => isAsked(name, scenario, load)),
      attempts: 0,
      postgres: postgres.rate,
      settle: () => settle(admin),
      say: progress(run),
    },
  );
  const where = await machine(admin);
  const outcome = { machine: where, sizes, postgres: postgres.tool, results, memory: memory.peak() };
  run.say(table(outcome));
  writeJson(run, { ...outcome, summary: summaries(outcome.results) });
}

interface BareServer {
  readonly origin: string;
  readonly pid: number;
}

async function startBare({ closing }: Run, databaseUrl: string): Promise<BareServer> {
  const { ask, pid, stop } = startWorker<{ readonly databaseUrl: string }, string>('baseline/server');
  closing.push(stop);
  return { origin: await ask({ databaseUrl }), pid };
}

interface Answering {
  readonly stack: Stack;
  readonly bare: BareServer;
  readonly settled: () => Promise<void>;
}

/** The product, and the bare server in its two ways to write. */
function sidesOf(
  { stack, bare, settled }: Answering,
  seeded: { readonly practices: readonly Practice[]; readonly sizes: Sizes },
): Side[] {
  const bareSide = (name: string, way: 'logged' | 'plain'): Side => ({
    name,
    origin: bare.origin,
    requests: createRequests(askingBare(`/${way}`), { ...seeded, freeFrom: FREE_BEGINS[way] }),
    processes: () => [
      { name: 'bare server', pid: bare.pid },
      ...stack.processes().filter((process) => process.name === 'postgres'),
    ],
    settled: () => Promise.resolve(),
  });
  const product: Side = {
    name: 'product',
    origin: new URL(stack.baseUrl).origin,
    requests: createRequests(askingProduct(stack.apikey), { ...seeded, freeFrom: FREE_BEGINS.logged }),
    processes: stack.processes,
    settled,
  };
  return [product, bareSide('bare', 'logged'), bareSide('plain', 'plain')];
}

/**
 * One plain statement is another way to write; of reads there is one. The mixed load is compared with nothing, and at half
 * load only what has a target.
 */
function isAsked(name: string, scenario: Scenario, load: 'full' | 'half'): boolean {
  if (name === 'product') return true;
  const { isWrite = false, leastRatio } = facts[scenario];
  if (name === 'plain') return load === 'full' && isWrite;
  return load === 'full' ? scenario !== 'mixed' : leastRatio !== undefined;
}
