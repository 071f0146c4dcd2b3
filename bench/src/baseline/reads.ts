import type { Pool, QueryConfig } from 'pg';
import { prepared } from './pool.js';
import { EXPENSE_ROWS, LIST_ROWS, NOTE_ROWS } from '../sizes.js';
import { acrossText, reads } from './sql.js';

export interface Reads {
  /** The JSON of a practice's appointments of one day. */
  day(practice: string, date: string): Promise<string>;
  /** The JSON of the first fifty that take up time from one day to another. */
  list(practice: string, from: string, to: string): Promise<string>;
  /** The JSON of the clients whose names match. */
  search(practice: string, pattern: string): Promise<string>;
  /** The JSON of a client's latest fifty session notes. */
  notes(practice: string, client: string): Promise<string>;
  /** The JSON of the latest hundred expenses. */
  expenses(practice: string): Promise<string>;
  /** The JSON of a day's appointments with their services; and with their clients. */
  within(practice: string, date: string): Promise<string>;
  across(practice: string, date: string): Promise<string>;
  /** The JSON of the first fifty appointments; all are counted. */
  count(practice: string): Promise<string>;
  /** All expenses as CSV. */
  csv(practice: string): Promise<string>;
}

/** The reads, on the product's own tables. */
export function readsOn(pool: Pool): Reads {
  const statement = (name: keyof typeof reads) => prepared(name, reads[name].text);
  const across = prepared('across', acrossText);
  const body = async (statement: QueryConfig): Promise<string> => {
    const { rows } = await pool.query<{ body: string }>(statement);
    return rows[0]?.body ?? '';
  };
  return {
    day: (practice, date) => body({ ...statement('day'), values: [practice, date, '1000', '0'] }),
    list: (practice, from, to) =>
      body({
        ...statement('list'),
        values: [practice, '{"scheduled","confirmed"}', from, to, String(LIST_ROWS), '0'],
      }),
    search: (practice, pattern) => body({ ...statement('search'), values: [practice, pattern, '1000', '0'] }),
    notes: (practice, client) =>
      body({ ...statement('notes'), values: [practice, client, String(NOTE_ROWS), '0'] }),
    expenses: (practice) => body({ ...statement('expenses'), values: [practice, String(EXPENSE_ROWS), '0'] }),
    within: (practice, date) => body({ ...statement('within'), values: [practice, date, '1000', '0'] }),
    across: (practice, date) => body({ ...across, values: [practice, date, '1000', '0'] }),
    count: (practice) => body({ ...statement('count'), values: [practice, String(LIST_ROWS), '0'] }),
    csv: (practice) => body({ ...statement('csv'), values: [practice, reads.csv.values[1], '1000', '0'] }),
  };
}
