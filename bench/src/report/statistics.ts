/** The middle value; between the two middle ones for an even count. NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/**
 * The value that `share` of all are not above.
 * @param sorted in ascending order
 * @param share from 0 to 1
 */
export function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}

/** The ratios of values that were measured beside each other, so that a slow round slows both. */
export const ratios = (above: readonly number[], below: readonly number[]): number[] =>
  above.map((value, index) => value / (below[index] ?? NaN));

export const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
