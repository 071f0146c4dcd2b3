// The scenarios, in the order in which they are measured, and the targets of the product.

/** Appointments of one day. */
export const PER_DAY = 8;
/** Rows of the filtered list, of a client's notes, of the expenses, and of a search by name. */
export const LIST_ROWS = 50;
export const NOTE_ROWS = 50;
export const EXPENSE_ROWS = 100;
export const SEARCH_ROWS = 10;
/** Rows of the answer in CSV: all expenses. */
export const CSV_ROWS = 1000;

interface Facts {
  readonly title: string;
  /** Rows that each side must return. */
  readonly rows?: number;
  /** The least ratio to the bare server, where there is a target. */
  readonly leastRatio?: number;
}

const table = {
  day: { title: 'one day, 8 rows', rows: PER_DAY, leastRatio: 0.8 },
  list: { title: 'filtered list, 50 rows', rows: LIST_ROWS, leastRatio: 0.7 },
  book: { title: 'book (POST)', leastRatio: 0.4 },
  hot: { title: 'book, one hot practice' },
  change: { title: 'change of status (PATCH)', leastRatio: 0.45 },
  search: { title: 'clients by ilike, 10 of 200 rows', rows: SEARCH_ROWS },
  notes: { title: 'notes of a client, 50 rows', rows: NOTE_ROWS },
  expenses: { title: 'expenses by date, 100 rows', rows: EXPENSE_ROWS },
  within: { title: 'a day with its services, 8 rows', rows: PER_DAY },
  across: { title: 'the same with its clients, 8 rows', rows: PER_DAY },
  count: { title: 'first 50, counted exactly', rows: LIST_ROWS },
  csv: { title: 'expenses as CSV, 1000 rows', rows: CSV_ROWS, leastRatio: 0.85 },
  mixed: { title: 'mixed, all resources' },
} satisfies Record<string, Facts>;

export type Scenario = keyof typeof table;
export const facts: Readonly<Record<Scenario, Facts>> = table;
export const scenarios: readonly Scenario[] = Object.keys(table) as Scenario[];
export const appointmentScenarios: readonly Scenario[] = ['day', 'list', 'book', 'hot', 'change'];

/** The most milliseconds by which the p99 at half load may exceed the bare server's at the same pace, in scenarios with a target. */
export const MOST_P99_ABOVE_BARE = 5;
/** The highest ratios of a day with records of another service to a day with records of the same one: CPU time, and p50 at half load. */
export const MOST_ACROSS = { cpu: 1.8, time: 1.5 };
/** The most memory of the product without Postgres: 1,000 MB in MiB. */
export const MOST_MEMORY = 954;
