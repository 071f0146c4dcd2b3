/** A source of chance that gives the same practice on every machine. */
export interface Chance {
  /** A number from 0 up to, but without, 1. */
  readonly next: () => number;
  /** One of `values`, each as likely as its weight (1 when left out). */
  readonly pick: <T>(values: readonly T[], weightOf?: (value: T) => number) => T;
}

/** Chance that begins at `seed` (mulberry32: small, fast, and good enough for names and times). */
export function chanceFrom(seed: number): Chance {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { next, pick: (values, weightOf = () => 1) => weighted(values, weightOf, next()) };
}

function weighted<T>(values: readonly T[], weightOf: (value: T) => number, at: number): T {
  let left = at * values.reduce((sum, value) => sum + weightOf(value), 0);
  const found = values.find((value) => (left -= weightOf(value)) < 0) ?? values.at(-1);
  if (found === undefined) throw new RangeError('nothing to pick from');
  return found;
}
