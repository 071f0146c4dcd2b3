import type { Statement } from '@practice/event-store';

/** Timestamps are read and written in this zone from here on, or until the transaction ends; 22023 for one there is not. */
export const setZone = (timezone: string, until: 'session' | 'transaction'): Statement => ({
  text: `SELECT set_config('TimeZone', $1, $2)`,
  values: [timezone, String(until === 'transaction')],
});
