// Converts local times of a time zone to instants, by the rules of Postgres.

const DAY = 86_400_000;

/**
 * The instant of a local time. If a local time occurs twice because clocks go back, Postgres takes the later instant. A local time
 * that is skipped because clocks go forward is read with the offset before the change.
 * @param local the fields of the local time, as milliseconds of the same fields in UTC
 * @param timezone a name from the time zone database
 */
export function localToInstant(local: number, timezone: string): number {
  const before = local - offsetAt(local - DAY, timezone);
  const after = local - offsetAt(local + DAY, timezone);
  const isLocal = (instant: number): boolean => instant + offsetAt(instant, timezone) === local;
  return isLocal(after) ? after : before;
}

/** The difference between local time and UTC at an instant, in milliseconds. */
function offsetAt(instant: number, timezone: string): number {
  const parts = formatterOf(timezone).formatToParts(instant);
  const field = (name: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find(({ type }) => type === name)?.value ?? 0);
  const year = parts.some(({ type, value }) => type === 'era' && value === 'BC')
    ? 1 - field('year')
    : field('year');
  const local = new Date(0);
  local.setUTCFullYear(year, field('month') - 1, field('day'));
  local.setUTCHours(field('hour'), field('minute'), field('second'));
  return local.getTime() - Math.floor(instant / 1000) * 1000;
}

const formatters = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATTERS = 1_000;

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const cached = formatters.get(timeZone);
  if (cached !== undefined) return cached;
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  if (formatters.size >= MAX_FORMATTERS) formatters.clear();
  formatters.set(timeZone, formatter);
  return formatter;
}

/** Whether a text is a name from the time zone database, such as `Europe/Berlin` or `UTC`. Offsets such as `+02:00` are not names. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Z][\w+-]*(?:\/[A-Z][\w+-]*)*$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}
