import type { Statement } from '@practice/event-store';

/** Sets the zone in which timestamps are read and written until the transaction ends; 22023 for an unknown zone. */
export const setZone = (timezone: string): Statement => ({
  text: `SELECT set_config('TimeZone', $1, true)`,
  values: [timezone],
});
