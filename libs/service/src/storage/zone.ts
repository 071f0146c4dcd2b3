import type { Statement } from '@practice/event-store';

/** Timestamps are read and written in this zone until the transaction ends; 22023 for one there is not. */
export const setZone = (timezone: string): Statement => ({
  text: `SELECT set_config('TimeZone', $1, true)`,
  values: [timezone],
});
