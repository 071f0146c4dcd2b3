// Measurements of single requests: one after the other, all kinds in turn, so that a slow moment slows all of them.

import type { Client } from 'pg';
import { describeMachine, machine } from './machine.js';
import { median, percentile } from './report/statistics.js';
import { writeJson, type Run } from './run.js';

/** Requests by kind. The number makes each request different. A kind without further requests returns undefined. */
export type Kinds = Readonly<Record<string, (number: number) => Promise<unknown> | undefined>>;

interface Turns {
  readonly admin: Client;
  readonly sizes: { readonly rounds: number };
  /** Rounds before the measured ones. Their times do not count, as code and caches are cold. */
  readonly warmUp: number;
  /** Each of these kinds is compared with the kinds after it. */
  readonly bases: readonly string[];
}

/** Prints a line for each kind: the median, the 95th percentile, and the ratio to the median of the last base. */
export async function compareInTurn(run: Run, kinds: Kinds, turns: Turns): Promise<void> {
  const { admin, sizes, bases } = turns;
  const taken = await run.stages.run('Measured', () => measured(run, kinds, turns));
  const where = await machine(admin);
  run.say(`\n${describeMachine(where)}\n`);
  let base = NaN;
  for (const [kind, all] of Object.entries(taken)) {
    const one = median(all);
    if (bases.includes(kind)) base = one;
    const times = [one, percentile(all, 0.95)].map((ms) => `${ms.toFixed(1).padStart(7)} ms`).join('');
    run.say(`  ${kind.padEnd(34)}${times}${(one / base).toFixed(2).padStart(7)} ×`);
  }
  writeJson(run, { machine: where, sizes, taken });
}

/** @returns milliseconds of each request */
async function measured({ signal }: Run, kinds: Kinds, { sizes: { rounds }, warmUp }: Turns) {
  const taken: Record<string, number[]> = {};
  for (let round = 0; round < warmUp + rounds; round += 1)
    for (const [kind, ask] of Object.entries(kinds)) {
      signal.throwIfAborted();
      const began = performance.now();
      const asked = ask(round);
      if (asked === undefined) continue;
      await asked;
      if (round >= warmUp) (taken[kind] ??= []).push(performance.now() - began);
    }
  return taken;
}
