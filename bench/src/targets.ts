// How well the product has to do.

import type { Scenario } from './scenario.js';

/** The least ratio to the bare server with the same SQL, where there is a target. */
export const leastRatio: Partial<Record<Scenario, number>> = {
  day: 0.6,
  list: 0.6,
  book: 0.45,
  change: 0.45,
};
/** p99 at half of the saturating load, milliseconds, of the same scenarios. */
export const MOST_P99 = 25;
/** Resident memory of the product without Postgres: 1,200 MB in MiB. */
export const MOST_MEMORY = 1144;
