// Calendar days, times of day and instants. Days and times are strings, since a `Date` can represent neither.

import { invalidSyntax, malformed, parsed, type Kind, type Malformed, type Parsed } from './kind.js';
import { localToInstant } from './time-zone.js';

const json = (value: string): string => JSON.stringify(value);

/** A calendar day, `YYYY-MM-DD`. */
export const date: Kind<string> = {
  name: 'date',
  sqlType: 'date',
  pgName: 'date',
  expects: 'a date such as 2030-01-31',
  families: ['equality', 'order'],
  parse: parseDate,
  fromText: (text) => text,
  toJson: json,
  immutableText: (column) => `(${column} - '2000-01-01'::date)::text`,
  schema: { type: 'string', format: 'date' },
  typescript: 'string',
};

/** A list of calendar days. */
export const dates: Kind<readonly string[]> = {
  name: 'dates',
  sqlType: 'date[]',
  pgName: 'date[]',
  expects: 'a list of dates',
  families: ['equality'],
  parse: parseDates,
  fromText: (text) => text.slice(1, -1).split(',').filter(Boolean),
  toJson: (value) => JSON.stringify(value),
  immutableText: (column) => `${column}::text`,
  schema: { type: 'array', items: date.schema },
  typescript: 'string[]',
};

/** A time of day to the minute, `HH:MM`. */
export const timeOfDay: Kind<string> = {
  name: 'timeOfDay',
  sqlType: 'time without time zone',
  pgName: 'time',
  expects: 'a time to the minute such as 09:30',
  families: ['equality', 'order'],
  parse: parseTimeOfDay,
  fromText: (text) => text.slice(0, 5),
  toJson: json,
  shown: (column) => `to_char(${column}, 'HH24:MI')`,
  immutableText: (column) => `extract(epoch from ${column})::text`,
  schema: { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', example: '09:30' },
  typescript: 'string',
};

/** An instant in UTC with at most microseconds, in the form of Postgres' JSON: `2026-05-01T10:00:00.12+00:00`. */
export const timestamp: Kind<string> = {
  name: 'timestamp',
  sqlType: 'timestamp with time zone',
  pgName: 'timestamp with time zone',
  expects: 'an instant such as 2030-01-31T09:30:00Z',
  families: ['equality', 'order'],
  parse: parseTimestamp,
  inZone: (input, timezone) => (typeof input === 'string' ? instantInZone(input.trim(), timezone) : input),
  fromText: (text) =>
    STORED.test(text) ? `${text.slice(0, 10)}T${text.slice(11)}:00` : (canonicalInstant(text) ?? text),
  toJson: json,
  immutableText: (column) => `extract(epoch from ${column})::text`,
  schema: { type: 'string', format: 'date-time' },
  typescript: 'string',
};

/** An instant of the clock in the canonical form of `timestamp`. @param micros additional microseconds, below 1,000 */
export function instant(milliseconds: number, micros = 0): string {
  const iso = new Date(milliseconds).toISOString();
  return `${iso.slice(0, 19)}${fraction(`${iso.slice(20, 23)}${pad(micros, 3)}`)}+00:00`;
}

/**
 * The instants at which the records of one write are created. They are a microsecond apart, so that `created_at` has the order of the
 * records. The last instant is now, since none may be later than the change itself.
 * @param now the time of the clock, in whole milliseconds
 */
export function creationInstants(now: string, count: number): string[] {
  const last = Date.parse(now) * 1000;
  return Array.from({ length: count }, (_, index) => {
    const micros = last - (count - 1 - index);
    const milliseconds = Math.floor(micros / 1000);
    return instant(milliseconds, micros - milliseconds * 1000);
  });
}

/** The instant of a timestamp without an offset, read in a time zone; any other text unchanged. */
function instantInZone(text: string, timezone: string): string {
  const local = INSTANT.exec(text)?.[8] === undefined ? canonicalInstant(text) : null;
  if (local === null) return text;
  const whole = localToInstant(local.slice(0, 19), timezone);
  return new Date(whole).toISOString().slice(0, 19) + local.slice(19);
}

function parseDate(input: unknown): Parsed<string> {
  const match = typeof input === 'string' ? /^\s*(\d{4})-(\d{1,2})-(\d{1,2})\s*$/.exec(input) : null;
  if (match === null) return invalidSyntax('date', input, '22007');
  const [year = 0, month = 0, day = 0] = match.slice(1).map(Number);
  return isCalendarDay(year, month, day)
    ? parsed(`${pad(year, 4)}-${pad(month)}-${pad(day)}`)
    : outOfRange(input);
}

function parseDates(input: unknown): Parsed<readonly string[]> {
  if (!Array.isArray(input)) return invalidSyntax('date[]', input);
  const days = input.map(parseDate);
  return days.find((day) => !day.ok) ?? parsed(days.flatMap((day) => (day.ok ? [day.value] : [])));
}

function parseTimeOfDay(input: unknown): Parsed<string> {
  const match =
    typeof input === 'string' ? /^\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:\.0+)?)?\s*$/.exec(input) : null;
  if (match === null) return invalidSyntax('time', input, '22007');
  const [hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  if (hours > 23 || minutes > 59 || seconds > 59) return outOfRange(input);
  // A calendar has no seconds. Dropping them silently would book another time than the requested one.
  if (seconds !== 0) return invalidSyntax('time', input, '22007');
  return parsed(`${pad(hours)}:${pad(minutes)}`);
}

function parseTimestamp(input: unknown): Parsed<string> {
  if (typeof input !== 'string' || !INSTANT.test(input.trim())) {
    return invalidSyntax('timestamp with time zone', input, '22007');
  }
  if (offsetMinutes(INSTANT.exec(input.trim())?.[8]) === null)
    return malformed('22009', `time zone displacement out of range: "${input}"`);
  const value = canonicalInstant(input.trim());
  return value === null ? outOfRange(input) : parsed(value);
}

/** A timestamp as Postgres writes it in UTC, with a fraction that has no zeros at the end. */
const STORED = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{0,5}[1-9])?\+00$/;

const INSTANT =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d*))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** The canonical form of any accepted spelling, in UTC; null if the fields name no instant. Without an offset, the text is in UTC. */
function canonicalInstant(text: string): string | null {
  const match = INSTANT.exec(text);
  const offset = offsetMinutes(match?.[8]);
  if (match === null || offset === null) return null;
  const [year, month, day, hours, minutes, seconds] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0)) as Fields;
  const micros = microseconds(match[7] ?? '');
  if (!isCalendarDay(year, month, day) || !isTimeOfInstant(hours, minutes, seconds + micros / 1e6))
    return null;
  const whole = new Date(0);
  whole.setUTCFullYear(year, month - 1, day);
  whole.setUTCHours(hours, minutes - offset, seconds + Math.floor(micros / 1e6));
  const iso = whole.toISOString();
  return /^(?!0000)\d{4}-/.test(iso) ? `${iso.slice(0, 19)}${fraction(pad(micros % 1e6, 6))}+00:00` : null;
}

type Fields = [year: number, month: number, day: number, hours: number, minutes: number, seconds: number];

/** Whether the fields are a valid time. ISO 8601 also allows 24:00 for midnight, and a leap second. */
const isTimeOfInstant = (hours: number, minutes: number, seconds: number): boolean =>
  minutes <= 59 && seconds < 61 && (hours <= 23 || (hours === 24 && minutes === 0 && seconds === 0));

/** The microseconds of a fraction, rounded as in Postgres: as a binary fraction, and a half to the even number. */
function microseconds(digits: string): number {
  const exact = Number(`0.${digits}`) * 1e6;
  const below = Math.floor(exact);
  if (exact - below === 0.5) return below + (below % 2);
  return Math.round(exact);
}

function offsetMinutes(zone: string | undefined): number | null {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(3).replace(':', '') || 0)];
  if (hours > 15 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

const fraction = (digits: string): string => {
  const kept = digits.replace(/0+$/, '');
  return kept === '' ? '' : `.${kept}`;
};

function isCalendarDay(year: number, month: number, day: number): boolean {
  // The calendar repeats every 400 years, and `Date.UTC` reads a year below 100 as one of the 20th century.
  const last = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= last;
}

const pad = (part: number, width = 2): string => String(part).padStart(width, '0');

const outOfRange = (input: unknown): Malformed =>
  malformed('22008', `date/time field value out of range: "${String(input)}"`);
