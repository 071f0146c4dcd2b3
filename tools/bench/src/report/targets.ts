// The targets of the product beside the bare server: rates, latency, the cost of composition, and memory.

import type { Results, ScenarioResult } from '../rounds.js';
import { facts, MOST_ACROSS, MOST_MEMORY, MOST_P99_ABOVE_BARE } from '../scenario.js';
import { ratiosOf, type Judge, type Names } from './comparison.js';
import { sum } from './statistics.js';

export const besideBare: Names = { now: 'product', before: 'bare' };

const verdict = (isReached: boolean): string => (isReached ? 'reached' : 'MISSED');

export const targetJudge: Judge = {
  rate: ({ ratio }, scenario) => {
    const { leastRatio } = facts[scenario];
    return leastRatio === undefined ? '' : `≥ ${leastRatio.toFixed(2)} ${verdict(ratio >= leastRatio)}`;
  },
  latency: ({ now, before }, scenario) =>
    facts[scenario].leastRatio === undefined
      ? ''
      : `+${MOST_P99_ABOVE_BARE} ${verdict(now <= before + MOST_P99_ABOVE_BARE)}`,
};

/** The cost of reading from two services: a second request over the bus after the first. Empty if it was not measured. */
export function composition({ within, across }: Results): readonly string[] {
  if (within === undefined || across === undefined) return [];
  const costOf = (result: ScenarioResult): Record<'time' | 'cpu', number> => {
    const { p50, cpu } = ratiosOf(result, besideBare);
    return { time: p50.now, cpu: cpu.now };
  };
  const [one, two] = [costOf(within), costOf(across)];
  const compared = (of: 'time' | 'cpu'): string => {
    const ratio = two[of] / one[of];
    return `${ratio.toFixed(2)} × (≤ ${MOST_ACROSS[of].toFixed(1)} ${verdict(ratio <= MOST_ACROSS[of])})`;
  };
  return [`records of another service: ${compared('time')} the time, ${compared('cpu')} the CPU`];
}

/** @param bytes of the product's processes, without Postgres, at their most */
export function memory(bytes: Readonly<Record<string, number>>): string {
  const mib = (value: number): number => Math.round(value / 2 ** 20);
  const total = mib(sum(Object.values(bytes)));
  const parts = Object.entries(bytes).map(([name, held]) => `${name} ${mib(held)}`);
  return `memory without Postgres, at most: ${total} MiB (${parts.join(', ')}); target ≤ ${MOST_MEMORY} ${verdict(total <= MOST_MEMORY)}`;
}
