import { median as middleOf, quantile, sum } from 'simple-statistics';

export { sum };

/** Milliseconds. NaN if nothing was measured. */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
}

/** The median, or NaN if there are no values. */
export const median = (values: readonly number[]): number => (values.length === 0 ? NaN : middleOf(values));

/** @param share from 0 to 1 */
export const percentile = (values: readonly number[], share: number): number => quantile([...values], share);

export function latencyOf(milliseconds: readonly number[]): Latency {
  const [p50, p99] = milliseconds.length === 0 ? [] : quantile(milliseconds, [0.5, 0.99]);
  return { p50: p50 ?? NaN, p99: p99 ?? NaN };
}

/** The ratios of values of the same round, so that a slow round slows both. */
export const ratios = (above: readonly number[], below: readonly number[]): number[] =>
  above.map((value, index) => value / (below[index] ?? NaN));
