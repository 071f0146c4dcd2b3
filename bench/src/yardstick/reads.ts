import type { Pool, QueryConfig } from 'pg';
import { prepared } from './pool.js';
import { dayText, listText } from './sql.js';

export interface Reads {
  /** The JSON of a practice's appointments of one day. */
  day(practice: string, date: string): Promise<string>;
  /** The JSON of the first fifty that take up time from one day to another. */
  list(practice: string, from: string, to: string): Promise<string>;
}

/** The two reads, on the product's own table. */
export function readsOn(pool: Pool): Reads {
  const day = prepared('day', dayText('scheduling'));
  const list = prepared('list', listText('scheduling'));
  const body = async (statement: QueryConfig): Promise<string> => {
    const { rows } = await pool.query<{ body: string }>(statement);
    return rows[0]?.body ?? '';
  };
  return {
    day: (practice, date) => body({ ...day, values: [practice, date, '1000', '0'] }),
    list: (practice, from, to) =>
      body({ ...list, values: [practice, '{"scheduled","confirmed"}', from, to, '50', '0'] }),
  };
}
