// Dates and times in the format of the API, `2030-01-07` and `09:00`. They are wall times of the practice, so they have no zone.

const DAY_MS = 86_400_000;
const utc = (date: string): Date => new Date(`${date}T00:00:00Z`);
const pad = (value: number): string => String(value).padStart(2, '0');

export const addDays = (date: string, days: number): string =>
  new Date(utc(date).getTime() + days * DAY_MS).toISOString().slice(0, 10);

/** The Monday of the week. */
export const mondayOf = (date: string): string => addDays(date, -((utc(date).getUTCDay() + 6) % 7));

/** Today in a time zone. */
export const todayIn = (timeZone: string, now = new Date()): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(now);

/**
 * The offset of a time zone from UTC in the format of EventCalendar: `+13:00`. EventCalendar ignores a zero offset, so UTC has an
 * offset of one minute: forward in the morning and backward later, which keeps the day.
 */
export function offsetOf(timeZone: string, now = new Date()): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const offset = format.format(now).split('GMT')[1];
  if (offset && offset !== '+00:00') return offset;
  return now.getUTCHours() < 12 ? '+00:01' : '-00:01';
}

/** The date and time that a calendar shows, which is the local time of `at`. */
export const wallOf = (at: Date): { date: string; time: string } => ({
  date: `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`,
  time: `${pad(at.getHours())}:${pad(at.getMinutes())}`,
});

/** Days as text. A field for a day is empty while the user types a day such as 30 February. */
const format = (options: Intl.DateTimeFormatOptions) => {
  const formatter = new Intl.DateTimeFormat(undefined, { timeZone: 'UTC', ...options });
  return (date: string): string => (date ? formatter.format(utc(date)) : 'no day');
};
export const longDay = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
export const shortDay = format({ weekday: 'short', day: 'numeric', month: 'short' });
export const dayOfYear = format({ day: 'numeric', month: 'short' });
export const plainDay = format({ day: 'numeric', month: 'short', year: 'numeric' });

const instantFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
/** An instant as text in the time zone of the reader. */
export const instant = (at: string): string => instantFormat.format(new Date(at));

/** Minutes since midnight. */
export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
/** The time of day after these minutes, also on the next day. */
export const timeOf = (minutes: number): string =>
  `${pad(Math.floor(minutes / 60) % 24)}:${pad(minutes % 60)}`;

/** The months up to the month of the day, such as `2030-01`, the oldest first. */
export function lastMonths(date: string, count: number): string[] {
  const last = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
  return Array.from({ length: count }, (_, index) => {
    const month = last - count + 1 + index;
    return `${Math.floor(month / 12)}-${pad((month % 12) + 1)}`;
  });
}
