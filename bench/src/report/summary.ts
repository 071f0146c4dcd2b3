import type { Measurement } from '../measurement.js';
import type { ScenarioResult, SideName } from '../rounds.js';
import { median, medianRatio } from './statistics.js';

/** A scenario in medians over the rounds. */
export interface Summary {
  readonly perSecond: Readonly<Partial<Record<SideName, number>>>;
  readonly postgresPerSecond: Readonly<Partial<Record<SideName, number>>>;
  /** The product to the bare server with the same SQL. */
  readonly ratio: number;
  /** The product to the bare server with one plain statement; of writes. */
  readonly plainRatio: number | undefined;
  /** The product to Postgres by itself with the same SQL. */
  readonly postgresRatio: number;
  /** Milliseconds at saturation, and at half of it. */
  readonly p50: number;
  readonly p99: number;
  readonly halfP50: number;
  readonly halfP99: number;
  /** The bare server's at the same pace, where it was asked. */
  readonly bareHalfP99: number | undefined;
  /** CPU microseconds for each answer, by side and process. */
  readonly cpu: Readonly<Partial<Record<SideName, Readonly<Record<string, number>>>>>;
}

export function summaryOf({ saturated, postgres, paced }: ScenarioResult): Summary {
  const rates = (name: SideName): number[] => (saturated[name] ?? []).map(({ perSecond }) => perSecond);
  const product = saturated.product ?? [];
  const of = (pick: (measurement: Measurement) => number): number => median(product.map(pick));
  const names = Object.keys(saturated) as SideName[];
  return {
    perSecond: Object.fromEntries(names.map((name) => [name, median(rates(name))])),
    postgresPerSecond: Object.fromEntries(
      (Object.keys(postgres) as SideName[]).map((name) => [name, median(postgres[name] ?? [])]),
    ),
    ratio: medianRatio(rates('product'), rates('bare')),
    plainRatio: saturated.plain === undefined ? undefined : medianRatio(rates('product'), rates('plain')),
    postgresRatio: median(rates('product')) / median(postgres.bare ?? []),
    p50: of(({ p50 }) => p50),
    p99: of(({ p99 }) => p99),
    halfP50: median((paced.product ?? []).map(({ p50 }) => p50)),
    halfP99: median((paced.product ?? []).map(({ p99 }) => p99)),
    bareHalfP99: paced.bare && median(paced.bare.map(({ p99 }) => p99)),
    cpu: Object.fromEntries(names.map((name) => [name, cpuOf(saturated[name] ?? [])])),
  };
}

function cpuOf(measurements: readonly Measurement[]): Record<string, number> {
  const names = Object.keys(measurements[0]?.cpuMicroseconds ?? {});
  return Object.fromEntries(
    names.map((name) => [
      name,
      median(measurements.map(({ cpuMicroseconds }) => cpuMicroseconds[name] ?? NaN)),
    ]),
  );
}
