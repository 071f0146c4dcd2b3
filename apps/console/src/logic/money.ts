/** An amount in the currency of the practice. */
export const money = (amount: number, currency = 'EUR'): string =>
  new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(amount);

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** The share in the highest value, from 0 to 100. */
  readonly percent: number;
}

/** Bars of a chart. Negative values have no height. */
export function barsOf(values: readonly (readonly [label: string, value: number])[]): Bar[] {
  const highest = Math.max(...values.map(([, value]) => value), 0);
  return values.map(([label, value]) => ({
    label,
    value,
    percent: highest === 0 ? 0 : Math.max(0, Math.round((value / highest) * 100)),
  }));
}
