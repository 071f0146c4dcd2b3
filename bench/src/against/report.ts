// The comparison as text: a row per scenario with the ratio of the new version to the old one and its spread.

import type { Measurement } from '../measurement.js';
import { columns } from '../report/columns.js';
import { titles } from '../report/outcome.js';
import { median } from '../report/statistics.js';
import type { Comparison, Pair } from './compare.js';

/** How the new version compares in one number; over the rounds. */
export interface Ratio {
  readonly now: number;
  readonly before: number;
  /** Median of the ratios now / before of each round. */
  readonly ratio: number;
  /** Spread of these ratios. From eight rounds on without the two extremes: about the 95 % interval of the median. */
  readonly lowest: number;
  readonly highest: number;
}

/** A row may be worse by 5 %. */
export const LEAST_RATIO = 0.95;

const total = ({ cpuMicroseconds }: Measurement): number =>
  Object.entries(cpuMicroseconds).reduce((sum, [name, time]) => (name === 'load' ? sum : sum + time), 0);

const MANY_ROUNDS = 8;

const ratioOf = (pairs: readonly Pair[], pick: (measurement: Measurement) => number): Ratio => {
  const ratios = pairs.map(({ now, before }) => pick(now) / pick(before)).sort((a, b) => a - b);
  const inner = ratios.length < MANY_ROUNDS ? ratios : ratios.slice(1, -1);
  return {
    now: median(pairs.map(({ now }) => pick(now))),
    before: median(pairs.map(({ before }) => pick(before))),
    ratio: median(ratios),
    lowest: inner[0] ?? NaN,
    highest: inner.at(-1) ?? NaN,
  };
};

/** A scenario in ratios. Above 1, `perSecond` is better; above 1, the others are worse. */
export const ratiosOf = ({ saturated, paced }: Comparison) => ({
  perSecond: ratioOf(saturated, ({ perSecond }) => perSecond),
  cpu: ratioOf(saturated, total),
  p50: ratioOf(paced, ({ p50 }) => p50),
  p99: ratioOf(paced, ({ p99 }) => p99),
});

/** @param names of the two versions, the new one first */
export function comparisonTable(
  comparisons: readonly Comparison[],
  [now, before]: readonly [string, string],
): string {
  const measured = comparisons.filter(({ failure }) => failure === undefined);
  const rows = measured.map((one) => ({ title: titles[one.scenario], ...ratiosOf(one) }));
  const cells = ({ now: a, before: b, ratio, lowest, highest }: Ratio, digits: number): string[] => [
    a.toFixed(digits),
    b.toFixed(digits),
    ratio.toFixed(2),
    `${lowest.toFixed(2)}–${highest.toFixed(2)}`,
  ];
  const heading = (what: string): string[] => [what, now, before, 'ratio', 'spread'];
  return [
    columns(
      [...heading('responses per second'), ''],
      rows.map(({ title, perSecond }) => [title, ...cells(perSecond, 0), verdict(perSecond)]),
    ),
    columns(
      heading('CPU µs per response'),
      rows.map(({ title, cpu }) => [title, ...cells(cpu, 0)]),
    ),
    columns(
      [...heading('ms at half load: p50'), `p99 ${now}`, before, 'ratio', 'spread'],
      rows.map(({ title, p50, p99 }) => [title, ...cells(p50, 1), ...cells(p99, 1)]),
    ),
    ...comparisons
      .filter(({ failure }) => failure !== undefined)
      .map(({ scenario, failure }) => `NOT MEASURED: ${titles[scenario]}: ${failure}`),
    summaryOf(rows),
  ].join('\n\n');
}

/** A row is slower only if the whole spread is below the limit; a low median with a wide spread needs more rounds. */
export function verdict({ ratio, highest }: Ratio): string {
  if (ratio >= LEAST_RATIO) return '';
  return highest < LEAST_RATIO ? 'SLOWER' : 'unclear';
}

function summaryOf(rows: readonly { readonly title: string; readonly perSecond: Ratio }[]): string {
  const titlesWith = (wanted: string): string[] =>
    rows.filter(({ perSecond }) => verdict(perSecond) === wanted).map(({ title }) => title);
  const [slower, unclear] = [titlesWith('SLOWER'), titlesWith('unclear')];
  const list = (found: readonly string[]): string => (found.length === 0 ? 'none' : found.join('; '));
  return [
    `Slower by more than 5 %: ${list(slower)}.`,
    `Unclear, measure more rounds (--rounds N) on a quiet machine: ${list(unclear)}.`,
  ].join('\n');
}
