// Days as the seed counts them: YYYY-MM-DD, and whole days between two.

const DAY = 86_400_000;

/** The day `days` days after `date`. */
export const dayAfter = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);

/** The number of days from `from` to `to`; negative if `to` is earlier. */
export const daysBetween = (from: string, to: string): number =>
  (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY;

/** The number of the weekday, as in `Date.getUTCDay`: 0 is Sunday. */
export const weekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay();

/** A moment of that day, ISO 8601 in UTC. */
export const momentOf = (date: string, time: string): string => `${date}T${time}:00Z`;
