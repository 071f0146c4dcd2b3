import type { Measurement } from '../measurement.js';
import type { BySide, Results, ScenarioResult } from '../rounds.js';
import type { Scenario } from '../scenario.js';
import { median, ratios } from './statistics.js';

/** A scenario in medians over the rounds. */
export interface Summary {
  readonly perSecond: Readonly<Record<string, number>>;
  /** The product to the bare server with one plain statement. */
  readonly ratio: number;
  /** Milliseconds at saturation, and at half of it. */
  readonly p50: number;
  readonly p99: number;
  readonly halfP50: number;
  readonly halfP99: number;
  /** The bare server's at the same pace, where it was asked. */
  readonly bareHalfP99: number | undefined;
  /** CPU microseconds for each answer, with the work behind it, by side and process. */
  readonly cpu: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export const summaries = (results: Results) =>
  (Object.keys(results) as Scenario[]).map(
    (scenario) => [scenario, summaryOf(results[scenario] as ScenarioResult)] as const,
  );

function summaryOf({ saturated, paced }: ScenarioResult): Summary {
  const rates = (name: string): number[] => (saturated[name] ?? []).map(({ perSecond }) => perSecond);
  const of = (measured: BySide<Measurement>, name: string, pick: (one: Measurement) => number): number =>
    median((measured[name] ?? []).map(pick));
  return {
    perSecond: mapped(saturated, (_, name) => median(rates(name))),
    ratio: median(ratios(rates('product'), rates('bare'))),
    p50: of(saturated, 'product', ({ p50 }) => p50),
    p99: of(saturated, 'product', ({ p99 }) => p99),
    halfP50: of(paced, 'product', ({ p50 }) => p50),
    halfP99: of(paced, 'product', ({ p99 }) => p99),
    bareHalfP99: paced['bare'] && of(paced, 'bare', ({ p99 }) => p99),
    cpu: mapped(saturated, cpuOf),
  };
}

const cpuOf = (measurements: readonly Measurement[]): Record<string, number> =>
  mapped(measurements[0]?.cpuMicroseconds ?? {}, (_, name) =>
    median(measurements.map(({ cpuMicroseconds }) => cpuMicroseconds[name] ?? NaN)),
  );

const mapped = <T, R>(
  record: Readonly<Record<string, T>>,
  change: (value: T, name: string) => R,
): Record<string, R> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
