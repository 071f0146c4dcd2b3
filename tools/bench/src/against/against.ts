// `npm run bench -- --against REF`: measures this tree and another version of it in turn on the same machine, so that other work on the
// machine disturbs both alike.

import { resolve } from 'node:path';
import { projectFolder as root, readSettings } from '@practice/operator';
import { environmentOfVersion } from '../bench.config.js';
import { FREE_BEGINS } from '../calendar.js';
import { check } from '../check.js';
import { describeMachine, machine } from '../machine.js';
import type { Side } from '../measurement.js';
import { productSide } from '../product-side.js';
import { atRest } from '../rest.js';
import { runRounds } from '../rounds.js';
import { progress, startLoad, writeJson, type Run } from '../run.js';
import { seed } from '../seed/seed.js';
import { systemCalls } from '../system-calls.js';
import { fullComparison, quickComparison, sizesWith } from '../sizes.js';
import { comparisonTable, ratiosByScenario } from '../report/comparison.js';
import { summaryOf, versionJudge } from './verdict.js';
import { startVersion, type Version, versionOf } from './version.js';

/** A request may time out on a busy machine, so a failed round is measured again. */
const ATTEMPTS = 3;

/** Prints the ratios, and writes all measurements to the file of `--json`. */
export async function against(run: Run, ref: string): Promise<void> {
  const { flags, stages, signal, say } = run;
  const sizes = sizesWith(flags, flags.quick ? quickComparison : fullComparison);
  const bench = startLoad(run, sizes);
  const versions = await startBoth(run, ref);
  const rest = (): Promise<void> => atRest(() => versions.flatMap(({ processes }) => processes()), signal);
  const sides: Side[] = [];
  for (const version of versions) {
    const practices = await stages.run(`Seed ${version.name}`, () => seed(version, sizes, signal));
    const input = { practices, sizes, settled: rest, freeFrom: FREE_BEGINS.product };
    sides.push(productSide(version, version.name, input));
  }
  await stages.run('Both have processed the events of the seed', rest);
  await check(sides, sizes);
  const results = await runRounds(bench, { sidesFor: () => sides, attempts: ATTEMPTS, say: progress(run) });
  const where = await machine();
  const { connections, rounds, seconds } = sizes;
  say(
    `\n${describeMachine(where)}; ${connections} connections, ${rounds} rounds of ${seconds} s for each version in turn\n`,
  );
  const [before, now] = versions;
  const names = { now: now.name, before: before.name };
  say(`${comparisonTable(results, names, versionJudge)}\n\n${summaryOf(results, names)}`);
  say(`\n${await systemCalls(bench, sides)}`);
  const ratios = ratiosByScenario(results, names);
  writeJson(run, { machine: where, against: before.name, sizes, ratios, results });
}

/** Starts both versions. @returns the other version first, as it is also measured first */
async function startBoth({ stages, signal, closing }: Run, ref: string): Promise<[Version, Version]> {
  const cacheDir = resolve(root, readSettings({}).CACHE_DIR);
  const { folder, commit } = await stages.run(`Check out ${ref}`, () => versionOf(cacheDir, ref));
  const env = environmentOfVersion(cacheDir);
  const start = async (name: string, from: string): Promise<Version> => {
    const version = await stages.run(`Start ${name}`, () =>
      startVersion({ name, folder: from }, env, signal),
    );
    closing.push(version.stop);
    return version;
  };
  const now = await start('this tree', root);
  return [await start(commit, folder), now];
}
