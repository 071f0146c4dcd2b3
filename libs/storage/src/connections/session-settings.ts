// Settings that hold until the transaction ends.

import { sql, type Statement } from '@practice/log';

/** Sets the zone in which timestamps are read and written; 22023 for an unknown zone. */
export const setZone = (timezone: string): Statement => ({
  text: `SELECT set_config('TimeZone', $1, true)`,
  values: [timezone],
});

/** Limits the time of each later statement. A statement that takes longer fails with 57014. */
export const limitTime = (ms: number): Statement => ({
  text: `SELECT set_config('statement_timeout', $1, true)`,
  values: [String(Math.max(1, Math.ceil(ms)))],
});

/** Gives later statements the time limit of their role again. */
export const unlimitTime: Statement = sql('SET LOCAL statement_timeout TO DEFAULT');
