// The comparison of two sides as text: a row per scenario with the ratio of one side to the other and its spread.

import type { Measurement } from '../measurement.js';
import type { BySide, Results, ScenarioResult } from '../rounds.js';
import { facts, type Scenario } from '../scenario.js';
import { columns } from './columns.js';
import { median, ratios, sum } from './statistics.js';

/** The names of the two sides: two versions, or the product and the bare server. */
export interface Names {
  readonly now: string;
  readonly before: string;
}

/** One measured number of both sides over all rounds. */
export interface Ratio {
  readonly now: number;
  readonly before: number;
  /** Median of the ratios now / before of each round. */
  readonly ratio: number;
  /** Spread of these ratios. From eight rounds on, it excludes the two extremes, which is about the 95 % interval of the median. */
  readonly lowest: number;
  readonly highest: number;
}

/** Judges a row. */
export interface Judge {
  readonly rate: (ratio: Ratio, scenario: Scenario) => string;
  /** Judges the 99th percentile at half load. */
  readonly latency: (ratio: Ratio, scenario: Scenario) => string;
}

const MANY_ROUNDS = 8;

const total = ({ cpuMicroseconds }: Measurement): number => sum(Object.values(cpuMicroseconds));

/** The ratios of a scenario. A ratio above 1 is better for `perSecond`, and worse for the others. */
export function ratiosOf({ saturated, paced }: ScenarioResult, names: Names) {
  const ratioOf = (measured: BySide<Measurement>, pick: (measurement: Measurement) => number): Ratio => {
    const [now = [], before = []] = [names.now, names.before].map((name) => measured[name]?.map(pick));
    const sorted = ratios(now, before).sort((a, b) => a - b);
    const inner = sorted.length < MANY_ROUNDS ? sorted : sorted.slice(1, -1);
    return {
      now: median(now),
      before: median(before),
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

const entriesOf = (results: Results) => Object.entries(results) as [Scenario, ScenarioResult][];

/** The ratios, without scenarios that could not be measured. */
export const ratiosByScenario = (results: Results, names: Names) =>
  entriesOf(results)
    .filter(([, { failure }]) => failure === undefined)
    .map(([scenario, result]) => ({ title: facts[scenario].title, scenario, ...ratiosOf(result, names) }));

export function comparisonTable(results: Results, names: Names, judge: Judge): string {
  const rows = ratiosByScenario(results, names);
  const { now, before } = names;
  const cells = ({ now: a, before: b, ratio, lowest, highest }: Ratio, digits: number): string[] => [
    ...[fixed(a, digits), fixed(b, digits), fixed(ratio, 2)],
    Number.isNaN(ratio) ? '' : `${lowest.toFixed(2)}–${highest.toFixed(2)}`,
  ];
  const heading = (what: string): string[] => [what, now, before, 'ratio', 'spread'];
  return [
    columns(
      [...heading('responses per second'), ''],
      rows.map((row) => [row.title, ...cells(row.perSecond, 0), judge.rate(row.perSecond, row.scenario)]),
    ),
    columns(
      heading('CPU µs per response, with the work behind it'),
      rows.map(({ title, cpu }) => [title, ...cells(cpu, 0)]),
    ),
    processes(results, names),
    columns(
      [...heading('ms at half load: p50'), `p99 ${now}`, before, 'ratio', 'spread', ''],
      rows.map(({ title, scenario, p50, p99 }) => [
        ...[title, ...cells(p50, 1), ...cells(p99, 1)],
        judge.latency(p99, scenario),
      ]),
    ),
    ...entriesOf(results)
      .filter(([, { failure }]) => failure !== undefined)
      .map(([scenario, { failure }]) => `NOT MEASURED: ${facts[scenario].title}: ${failure}`),
  ].join('\n\n');
}

/** The CPU time of each process, including the work behind the responses: now (before). */
function processes(results: Results, names: Names): string {
  const measured = entriesOf(results).map(
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
    fixed(median((sides[side] ?? []).map(({ cpuMicroseconds }) => cpuMicroseconds[name] ?? NaN)), 0);
  return columns(
    [`CPU µs by process: ${names.now} (${names.before})`, ...found],
    measured.map(([title, sides]) => [
      title,
      ...found.map((name) => `${of(sides, names.now, name)} (${of(sides, names.before, name)})`),
    ]),
  );
}

/** Empty where nothing was measured. */
const fixed = (value: number, digits: number): string => (Number.isNaN(value) ? '' : value.toFixed(digits));
