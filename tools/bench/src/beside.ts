// The product beside the bare server: seeds the stack, measures both in turn, prints the results with their targets.

import type { Stack } from '@practice/start';
import { copyAppointments, letBaselinesRead, settle } from './baseline/copy.js';
import { FREE_BEGINS } from './calendar.js';
import { check } from './check.js';
import { describeMachine, machine, type Machine } from './machine.js';
import type { Side } from './measurement.js';
import { productSide } from './product-side.js';
import { comparisonTable, ratiosByScenario } from './report/comparison.js';
import { besideBare, composition, memory as memoryOf, targetJudge } from './report/targets.js';
import { askingBare } from './requests.js';
import { atRest } from './rest.js';
import { runRounds } from './rounds.js';
import { progress, startLoad, startOwnStack, writeJson, type Run } from './run.js';
import { facts, scenarios } from './scenario.js';
import { createRequests } from './scenarios.js';
import { seed, type Practice } from './seed/seed.js';
import { fullSizes, quickSizes, sizesWith, type Sizes } from './sizes.js';
import { systemCalls } from './system-calls.js';
import { createMemory } from './usage.js';
import { startWorker } from './worker.js';

export async function beside(run: Run): Promise<void> {
  const { flags, stages, signal, closing } = run;
  const sizes = sizesWith(flags, flags.quick ? quickSizes : fullSizes);
  const bench = startLoad(run, sizes);
  const { stack, admin } = await startOwnStack(run);
  const practices = await stages.run(
    `Seed (${sizes.practices} practices × ${sizes.appointmentsPerPractice} appointments)`,
    () => seed(stack, sizes, signal),
  );
  const settled = (): Promise<void> => atRest(stack.processes, signal);
  await stages.run('The events are processed', settled);
  await letBaselinesRead(admin);
  const bare = await startBare(run, stack.databaseUrl('scheduling_owner'));
  const product = productSide(stack, 'product', { practices, sizes, settled, freeFrom: FREE_BEGINS.product });
  const plain = plainSide(stack, bare, { practices, sizes });
  await stages.run('Both sides return the same rows', () => check([product, plain], sizes));
  await stages.run('Copy of the appointments, statistics', async () => {
    await copyAppointments(admin);
    await settle(admin);
  });
  const memory = createMemory(() => stack.processes().filter(({ name }) => name !== 'postgres'));
  closing.push(memory.stop);
  const results = await runRounds(bench, {
    // The mixed load is not compared. At half load, only scenarios with a target are compared.
    sidesFor: (scenario, load) => {
      const isCompared = load === 'full' ? scenario !== 'mixed' : facts[scenario].leastRatio !== undefined;
      return isCompared ? [product, plain] : [product];
    },
    attempts: 0,
    settle: () => settle(admin),
    say: progress(run),
  });
  const outcome = { machine: await machine(admin), sizes, results, memory: memory.peak() };
  run.say(`\n${headingOf(outcome.machine, sizes)}\n`);
  run.say(comparisonTable(results, besideBare, targetJudge));
  run.say(['', ...composition(results), memoryOf(outcome.memory), ''].join('\n'));
  run.say(await systemCalls(bench, [product]));
  writeJson(run, { ...outcome, ratios: ratiosByScenario(results, besideBare) });
}

function headingOf(where: Machine, { connections, rounds, seconds, scenarios: measured }: Sizes): string {
  const missing = scenarios.filter((scenario) => !measured.includes(scenario));
  const leftOut = missing.length === 0 ? '' : `\nnot measured by --quick: ${missing.join(', ')}`;
  return `${describeMachine(where)}; ${connections} connections, ${rounds} rounds of ${seconds} s${leftOut}`;
}

async function startBare({ closing }: Run, databaseUrl: string) {
  const { ask, pid, stop } = startWorker<{ readonly databaseUrl: string }, string>('baseline/server');
  closing.push(stop);
  return { origin: await ask({ databaseUrl }), pid };
}

/** The bare server, which uses the product's database. */
const plainSide = (
  { processes }: Stack,
  { origin, pid }: Awaited<ReturnType<typeof startBare>>,
  seeded: { readonly practices: readonly Practice[]; readonly sizes: Sizes },
): Side => ({
  name: 'bare',
  origin,
  requests: createRequests(askingBare, { ...seeded, freeFrom: FREE_BEGINS.plain }),
  processes: () => [{ name: 'bare server', pid }, ...processes().filter(({ name }) => name === 'postgres')],
  settled: () => Promise.resolve(),
});
