// The comparison as text: a row per scenario with the ratio of the new version to the old one and its spread.

import type { Measurement } from '../measurement.js';
import { columns } from '../report/columns.js';
import { median, ratios, sum } from '../report/statistics.js';
import type { BySide, Results, ScenarioResult } from '../rounds.js';
import { facts, type Scenario } from '../scenario.js';

/** The names of the two versions. */
export interface Names {
  readonly now: string;
  readonly before: string;
}

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
const LEAST_RATIO = 0.95;
const MANY_ROUNDS = 8;

const total = ({ cpuMicroseconds }: Measurement): number => sum(Object.values(cpuMicroseconds));

/** A scenario in ratios. Above 1, `perSecond` is better; above 1, the others are worse. */
export function ratiosOf({ saturated, paced }: ScenarioResult, names: Names) {
  const ratioOf = (measured: BySide<Measurement>, pick: (measurement: Measurement) => number): Ratio => {
    const [now, before] = [names.now, names.before].map((name) => (measured[name] ?? []).map(pick));
    const sorted = ratios(now ?? [], before ?? []).sort((a, b) => a - b);
    const inner = sorted.length < MANY_ROUNDS ? sorted : sorted.slice(1, -1);
    return {
      now: median(now ?? []),
      before: median(before ?? []),
      ratio: median(sorted),
      lowest: inner[0] ?? NaN,
      highest: inner.at(-1) ?? NaN,
    };
  };
  return {
    perSecond: ratioOf(saturated, ({ perSecond }) => perSecond),
    cpu: ratioOf(saturated, total),
    p50: ratioOf(paced, ({ p50 }) => p50),
    p99: ratioOf(paced, ({ p99 }) => p99),
  };
}

/** The ratios, without scenarios that could not be measured. */
export const ratiosByScenario = (results: Results, names: Names) =>
  (Object.entries(results) as [Scenario, ScenarioResult][])
    .filter(([, { failure }]) => failure === undefined)
    .map(([scenario, result]) => ({ title: facts[scenario].title, scenario, ...ratiosOf(result, names) }));

export function comparisonTable(results: Results, names: Names): string {
  const rows = ratiosByScenario(results, names);
  const { now, before } = names;
  const cells = ({ now: a, before: b, ratio, lowest, highest }: Ratio, digits: number): string[] => [
    ...[a.toFixed(digits), b.toFixed(digits), ratio.toFixed(2)],
    `${lowest.toFixed(2)}–${highest.toFixed(2)}`,
  ];
  const heading = (what: string): string[] => [what, now, before, 'ratio', 'spread'];
  return [
    columns(
      [...heading('responses per second'), ''],
      rows.map(({ title, perSecond }) => [title, ...cells(perSecond, 0), verdict(perSecond)]),
    ),
    columns(
      heading('CPU µs per response, with the work behind it'),
      rows.map(({ title, cpu }) => [title, ...cells(cpu, 0)]),
    ),
    processes(results, names),
    columns(
      [...heading('ms at half load: p50'), `p99 ${now}`, before, 'ratio', 'spread'],
      rows.map(({ title, p50, p99 }) => [title, ...cells(p50, 1), ...cells(p99, 1)]),
    ),
    ...(Object.entries(results) as [Scenario, ScenarioResult][])
      .filter(([, { failure }]) => failure !== undefined)
      .map(([scenario, { failure }]) => `NOT MEASURED: ${facts[scenario].title}: ${failure}`),
    summaryOf(rows),
  ].join('\n\n');
}

/** The CPU time of each process, including the work behind the responses: now ← before. */
function processes(results: Results, names: Names): string {
  const measured = (Object.entries(results) as [Scenario, ScenarioResult][]).map(
    ([scenario, { saturated }]) => [facts[scenario].title, saturated] as const,
  );
  const found = [
    ...new Set(
      measured.flatMap(([, sides]) =>
        Object.values(sides).flatMap((all) => all.flatMap((one) => Object.keys(one.cpuMicroseconds))),
      ),
    ),
  ];
  const of = (sides: BySide<Measurement>, side: string, name: string): string =>
    median((sides[side] ?? []).map(({ cpuMicroseconds }) => cpuMicroseconds[name] ?? NaN)).toFixed(0);
  return columns(
    [`CPU µs by process: ${names.now} (${names.before})`, ...found],
    measured.map(([title, sides]) => [
      title,
      ...found.map((name) => `${of(sides, names.now, name)} (${of(sides, names.before, name)})`),
    ]),
  );
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
