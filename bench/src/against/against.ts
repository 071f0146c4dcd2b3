// `npm run bench -- --against REF`: this tree and another version of it, measured in turn on the same machine.

import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readSettings, stagesShownBy } from '@practice/dev';
import type { Stages } from '@practice/dev';
import { environmentOfVersion } from '../bench.config.js';
import { FREE_BEGINS } from '../calendar.js';
import { check } from '../check.js';
import type { Flags } from '../flags.js';
import { startLoad } from '../load/load.js';
import { describeMachine } from '../machine.js';
import { askingProduct } from '../requests.js';
import { createRequests } from '../scenarios.js';
import { seed } from '../seed/seed.js';
import type { Sizes } from '../sizes.js';
import { checkOut } from './checkout.js';
import { compareVersions } from './compare.js';
import type { Compared, ComparedSide } from './compare.js';
import { comparisonTable, ratiosOf } from './report.js';
import { atRest } from './rest.js';
import { fullComparison, quickComparison } from './sizes.js';
import { startVersion } from './version.js';
import type { Version } from './version.js';

export interface AgainstInput {
  readonly flags: Flags;
  readonly signal: AbortSignal;
  /** Receives what must be closed at the end, in reverse order. */
  readonly closing: (() => unknown)[];
  readonly say: (line: string) => void;
}

const root = join(import.meta.dirname, '..', '..', '..');
const THIS = 'this tree';

/** Prints the ratios; writes everything that was measured to `flags.json`. */
export async function against(ref: string, { flags, signal, closing, say }: AgainstInput): Promise<void> {
  const sizes = sizesOf(flags);
  const stages = stagesShownBy(say);
  const [now, before] = await startBoth(ref, { stages, signal, closing });
  const rest = (): Promise<void> => atRest(() => [...now.processes(), ...before.processes()], signal);
  const sides = await seeded({ now, before }, { sizes, signal, stages, rest });
  const load = startLoad();
  closing.push(load.stop);
  const began = performance.now();
  const seconds = (): string => `${((performance.now() - began) / 1000).toFixed(1).padStart(7)} s`;
  const comparisons = await compareVersions({ load, sizes, signal }, sides, (line) =>
    say(`  Measured: ${line}`.padEnd(70) + seconds()),
  );
  const machine = describeMachine();
  const { connections, rounds, seconds: each } = sizes;
  say(`\n${machine}; ${connections} connections, ${rounds} rounds of ${each} s for each version in turn\n`);
  say(comparisonTable(comparisons, [now.name, before.name]));
  if (flags.json === undefined) return;
  const ratios = Object.fromEntries(comparisons.map((one) => [one.scenario, ratiosOf(one)]));
  const result = { machine, against: before.name, sizes, ratios, comparisons };
  writeFileSync(flags.json, `${JSON.stringify(result, null, 2)}\n`);
}

function sizesOf({ quick, connections, rounds }: Flags): Sizes {
  const sizes = quick ? quickComparison : fullComparison;
  return { ...sizes, ...(connections && { connections }), ...(rounds && { rounds }) };
}

interface Starting {
  readonly stages: Stages;
  readonly signal: AbortSignal;
  readonly closing: (() => unknown)[];
}

async function startBoth(ref: string, { stages, signal, closing }: Starting): Promise<[Version, Version]> {
  const cacheDir = resolve(root, readSettings({}).CACHE_DIR);
  const { folder, commit } = await stages.run(`Check out ${ref}`, () => checkOut(root, cacheDir, ref));
  const env = environmentOfVersion(cacheDir);
  const start = async (name: string, from: string): Promise<Version> => {
    const version = await stages.run(`Start ${name}`, () =>
      startVersion({ name, folder: from, env, signal }),
    );
    closing.push(version.stop);
    return version;
  };
  return [await start(THIS, root), await start(commit, folder)];
}

interface Seeding {
  readonly sizes: Sizes;
  readonly signal: AbortSignal;
  readonly stages: Stages;
  readonly rest: () => Promise<void>;
}

async function seeded(
  { now, before }: { readonly now: Version; readonly before: Version },
  { sizes, signal, stages, rest }: Seeding,
): Promise<Compared> {
  const sideOf = async (version: Version): Promise<ComparedSide> => {
    const practices = await stages.run(`Seed ${version.name}`, () => seed(version, sizes, signal));
    const freeFrom = FREE_BEGINS.logged;
    return {
      origin: new URL(version.baseUrl).origin,
      requests: createRequests(askingProduct(version.apikey), { practices, sizes, freeFrom }),
      processes: version.processes,
      settled: rest,
    };
  };
  const sides = { now: await sideOf(now), before: await sideOf(before) };
  await stages.run('Both have processed the events of the seed', rest);
  const named = [
    { name: now.name, ...sides.now },
    { name: before.name, ...sides.before },
  ];
  await check(named, sizes);
  return sides;
}
