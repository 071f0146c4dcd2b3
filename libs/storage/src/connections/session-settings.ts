// Settings that hold until the transaction ends.

import { sql, type Statement } from '@practice/log';

/** Sets the zone in which timestamps are read and written; 22023 for an unknown zone. */
export const setZone = (timezone: string): Statement => ({
  text: `SELECT set_config('TimeZone', $1, true)`,
  values: [timezone],
});

/** Limits the time of each statement that follows; 57014 for one that takes longer. */
export const limitTime = (ms: number): Statement => ({
  text: `SELECT set_config('statement_timeout', $1, true)`,
  values: [String(Math.max(1, Math.ceil(ms)))],
});

/** Gives the statements that follow the time that their role has. */
export const unlimitTime: Statement = sql('SET LOCAL statement_timeout TO DEFAULT');
