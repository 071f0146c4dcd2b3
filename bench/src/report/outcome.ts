import type { FloodResult } from '../flood.js';
import type { Machine } from '../machine.js';
import type { Results } from '../rounds.js';
import type { Scenario } from '../scenario.js';
import type { Sizes } from '../sizes.js';
import type { Held } from '../usage.js';

/** Everything that one run measured. */
export interface Outcome {
  readonly machine: Machine;
  readonly sizes: Sizes;
  /** The tool that measured Postgres by itself. */
  readonly postgres: string;
  readonly results: Results;
  /** Missing if it was not measured. */
  readonly flood?: FloodResult;
  /** Bytes of the product's processes, without Postgres, at their most. */
  readonly memory: Readonly<Record<string, Held>>;
}

export const titles: Record<Scenario, string> = {
  day: 'one day, 8 rows',
  list: 'filtered list, 50 rows',
  book: 'book (POST)',
  change: 'change of status (PATCH)',
  search: 'clients by ilike, 10 of 200 rows',
  notes: 'notes of a client, 50 rows',
  expenses: 'expenses by date, 100 rows',
  within: 'a day with its services, 8 rows',
  across: 'the same with its clients, 8 rows',
  count: 'first 50, counted exactly',
  csv: 'expenses as CSV, 1000 rows',
  mixed: 'mixed, all resources',
};
