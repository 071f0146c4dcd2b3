// Before anything is measured: every side returns the expected number of rows for each read.

import type { HttpRequest } from './load/protocol.js';
import type { Side } from './measurement.js';
import type { Scenario } from './scenario.js';
import { CSV_ROWS, EXPENSE_ROWS, LIST_ROWS, NOTE_ROWS, PER_DAY, SEARCH_ROWS } from './sizes.js';
import type { Sizes } from './sizes.js';

export interface CheckedSide extends Pick<Side, 'origin' | 'requests'> {
  readonly name: string;
}

const expected: Partial<Record<Scenario, number>> = {
  day: PER_DAY,
  list: LIST_ROWS,
  search: SEARCH_ROWS,
  notes: NOTE_ROWS,
  expenses: EXPENSE_ROWS,
  within: PER_DAY,
  across: PER_DAY,
  count: LIST_ROWS,
  csv: CSV_ROWS,
};

/** @throws {Error} if a side returns another number of rows */
export async function check(sides: readonly CheckedSide[], { scenarios }: Sizes): Promise<void> {
  for (const side of sides) {
    for (const scenario of scenarios) {
      const rows = expected[scenario];
      if (rows !== undefined) await expectRows(side, scenario, rows);
    }
  }
}

async function expectRows(side: CheckedSide, scenario: Scenario, rowCount: number): Promise<void> {
  const [request] = side.requests.of(scenario, 1) as [HttpRequest];
  const answer = await fetch(`${side.origin}${request.path}`, { headers: request.headers });
  const count = rowsIn(await answer.text());
  if (count !== rowCount)
    throw new Error(
      `${side.name}: ${request.path} returned ${answer.status} with ${count} rows instead of ${rowCount}`,
    );
}

/** The rows of a JSON array, or of CSV without its heading. */
function rowsIn(text: string): number {
  if (!text.startsWith('[')) return text.split('\n').length - 1;
  return (JSON.parse(text) as unknown[]).length;
}
