// Judges whether this version is slower than the other one.

import { ratiosByScenario, type Judge, type Names, type Ratio } from '../report/comparison.js';
import type { Results } from '../rounds.js';

/** A row may be worse by 5 %. */
const LEAST_RATIO = 0.95;

/** A row is slower only if the whole spread is below the limit; a low median with a wide spread needs more rounds. */
export function verdict({ ratio, highest }: Ratio): string {
  if (!(ratio < LEAST_RATIO)) return '';
  return highest < LEAST_RATIO ? 'SLOWER' : 'unclear';
}

export const versionJudge: Judge = { rate: verdict, latency: () => '' };

/** The rows that are slower, and the rows that need more rounds. */
export function summaryOf(results: Results, names: Names): string {
  const rows = ratiosByScenario(results, names);
  const list = (wanted: string): string =>
    rows
      .filter(({ perSecond }) => verdict(perSecond) === wanted)
      .map(({ title }) => title)
      .join('; ') || 'none';
  return [
    `Slower by more than 5 %: ${list('SLOWER')}.`,
    `Unclear, measure more rounds (--rounds N) on a quiet machine: ${list('unclear')}.`,
  ].join('\n');
}
