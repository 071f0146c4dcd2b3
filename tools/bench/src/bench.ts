// `npm run bench`, once everything is built.

import { say, stagesShownBy, stopRequests, textOf } from '@practice/operator';
import { against } from './against/against.js';
import { apps } from './apps.js';
import { beside } from './beside.js';
import { dialect } from './dialect.js';
import { floods } from './flood.js';
import { readFlags, type Flags } from './flags.js';
import { live } from './live/live.js';
import { assistant } from './assistant.js';
import { money } from './money.js';
import { rebuild } from './rebuild/rebuild.js';
import type { Run } from './run.js';

/** Runs the benchmark and prints the results. Everything that it started is stopped at the end, also after an error. */
export async function bench(args: readonly string[]): Promise<void> {
  const flags = readFlags(args);
  const { signal } = stopRequests();
  const run: Run = { flags, signal, stages: stagesShownBy(say), say, closing: [] };
  try {
    await kindOf(flags)(run);
  } catch (error) {
    process.exitCode = 1;
    if (!signal.aborted) process.stderr.write(`\n${textOf(error)}\n`);
  } finally {
    for (const close of run.closing.reverse()) await close();
  }
}

const kinds = { flood: floods, live, money, apps, assistant, dialect, rebuild };

function kindOf({ against: ref, ...flags }: Flags): (run: Run) => Promise<void> {
  if (ref !== undefined) return (run) => against(run, ref);
  const wanted = (Object.keys(kinds) as (keyof typeof kinds)[]).find((name) => flags[name]);
  return wanted === undefined ? beside : kinds[wanted];
}
