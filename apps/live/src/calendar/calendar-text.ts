// Appointments as an iCalendar object (RFC 5545).

import type { AppointmentStatus, CalendarRow } from '@practice/contracts';
import { Temporal } from 'temporal-polyfill';

/** The maximum number of letters of a name. */
const MOST = 2;
const LETTER = /[\p{L}\p{N}]/u;

/** The initials of the first and the last word of a name, such as `A. L.`; of a name without letters, its first character. */
function initialsOf(name: string): string {
  const words = name.split(/[\s\p{Cc}]+/u).filter((word) => LETTER.test(word));
  const outer = words.length > MOST ? [words[0], words.at(-1)] : words;
  const letters = outer.map((word = '') => `${(LETTER.exec(word)?.[0] ?? '').toUpperCase()}.`);
  return letters.length > 0 ? letters.join(' ') : ([...name.trim()][0] ?? '');
}

// A time zone as a VTIMEZONE component (RFC 5545, 3.6.5), with the changes of clocks that a calendar needs. They come from the same
// data as the instants of appointments, so a program with older data shows the right times.

/** A change of clocks, after which an offset holds until the next change. */
interface ClockChange {
  /** Seconds east of UTC before and after the change. */
  readonly from: number;
  readonly to: number;
  /** The instant of the change, in milliseconds since the epoch. */
  readonly at: number;
}

/** Milliseconds since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const NANOSECONDS = 1_000_000_000;

/** The lines of the component. @param zone a name from the time zone database */
const timeZoneComponent = (zone: string, changes: readonly ClockChange[]): string[] => [
  'BEGIN:VTIMEZONE',
  `TZID:${zone}`,
  ...changes.flatMap(linesOf),
  'END:VTIMEZONE',
];

/** The instants whose local times happen twice, because clocks go back. Programs disagree on which one a local time means. */
const repeatedHours = (changes: readonly ClockChange[]): Span[] =>
  changes.flatMap(({ from, to, at }) => {
    const repeated = (from - to) * 1000;
    return repeated > 0 ? [{ from: at - repeated, to: at + repeated }] : [];
  });

/** The last change of clocks before a span, and all changes in the span. */
function changesOfClocks(zone: string, { from, to }: Span): ClockChange[] {
  const begin = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone);
  const offset = secondsOf(begin);
  const before = begin.getTimeZoneTransition('previous');
  const changes = [before === null ? { from: offset, to: offset, at: 0 } : changeAt(before)];
  let next = begin.getTimeZoneTransition('next');
  while (next !== null && next.epochMilliseconds <= to) {
    changes.push(changeAt(next));
    next = next.getTimeZoneTransition('next');
  }
  return changes;
}

const changeAt = (change: Temporal.ZonedDateTime): ClockChange => ({
  from: secondsOf(change.subtract({ nanoseconds: 1 })),
  to: secondsOf(change),
  at: change.epochMilliseconds,
});

const secondsOf = ({ offsetNanoseconds }: Temporal.ZonedDateTime): number => offsetNanoseconds / NANOSECONDS;

/** The lines of a change. It begins at the local time of the offset before the change. */
function linesOf({ from, to, at }: ClockChange): string[] {
  const kind = to > from ? 'DAYLIGHT' : 'STANDARD';
  return [
    `BEGIN:${kind}`,
    `DTSTART:${compact(at + from * 1000)}`,
    `TZOFFSETFROM:${offsetText(from)}`,
    `TZOFFSETTO:${offsetText(to)}`,
    `END:${kind}`,
  ];
}

/** An offset such as `+0530`. Some old offsets also have seconds. */
function offsetText(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const size = Math.abs(seconds);
  const rest = size % 60 === 0 ? '' : two(size % 60);
  return `${seconds < 0 ? '-' : '+'}${two(Math.floor(size / 3600))}${two(Math.floor(size / 60) % 60)}${rest}`;
}

export interface CalendarOptions {
  /** The time zone of the practice. */
  readonly zone: string;
  /** Whether the calendar shows the names of clients and services. */
  readonly full: boolean;
}

/** The parts of a calendar: its text is the head, an event for each appointment, and the tail. */
export type Calendar = ReturnType<typeof calendarOf>;

/** How often calendar programs should read the calendar again. */
const REFRESH = 'PT15M';
const MOST_OCTETS = 75;
const UTC = 'UTC';

const statuses: Readonly<Record<AppointmentStatus, string>> = {
  scheduled: 'TENTATIVE',
  confirmed: 'CONFIRMED',
  completed: 'CONFIRMED',
  no_show: 'CONFIRMED',
  cancelled: 'CANCELLED',
};

/** The calendar of a practice. @param span contains all appointments */
export function calendarOf(options: CalendarOptions, span: Span) {
  const { zone } = options;
  const changes = changesOfClocks(zone, span);
  const repeated = repeatedHours(changes);
  const isRepeated = (instant: number): boolean =>
    repeated.some(({ from, to }) => instant >= from && instant < to);
  return {
    head: textOf([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Practice API//Appointments//EN',
      'CALSCALE:GREGORIAN',
      'NAME:Appointments',
      'X-WR-CALNAME:Appointments',
      // Times in UTC need no component.
      ...(zone === UTC
        ? []
        : [...timeZoneComponent(zone, changes), `TIMEZONE-ID:${zone}`, `X-WR-TIMEZONE:${zone}`]),
      `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH}`,
      `X-PUBLISHED-TTL:${REFRESH}`,
    ]),
    event: (row: CalendarRow): string => {
      const [start, end] = [Date.parse(row.starts_at), Date.parse(row.ends_at)];
      const isUtc = zone === UTC || isRepeated(start) || isRepeated(end);
      const timeOf = (instant: number): string =>
        isUtc ? `:${utc(instant)}` : `;TZID=${zone}:${local(instant, changes)}`;
      return textOf(eventLines(row, { start: timeOf(start), end: timeOf(end) }, options));
    },
    tail: textOf(['END:VCALENDAR']),
  };
}

/** One appointment as a VEVENT. After a change of the appointment, SEQUENCE is new and UID stays the same. */
const eventLines = (
  row: CalendarRow,
  { start, end }: { readonly start: string; readonly end: string },
  { full }: CalendarOptions,
): string[] => [
  'BEGIN:VEVENT',
  `UID:${row.id}`,
  `SEQUENCE:${row.version}`,
  `DTSTAMP:${utc(Date.parse(row.updated_at))}`,
  `DTSTART${start}`,
  `DTEND${end}`,
  folded(`SUMMARY:${escaped(summaryOf(row, full))}`),
  `TRANSP:${row.status === 'cancelled' ? 'TRANSPARENT' : 'OPAQUE'}`,
  `STATUS:${statuses[row.status]}`,
  `CREATED:${utc(Date.parse(row.created_at))}`,
  `LAST-MODIFIED:${utc(Date.parse(row.updated_at))}`,
  'CLASS:PRIVATE',
  'END:VEVENT',
];

const textOf = (lines: readonly string[]): string => `${lines.join('\r\n')}\r\n`;

/** An instant in UTC: `20260706T090000Z`. */
const utc = (instant: number): string => `${compact(instant)}Z`;

/** An instant in local time of the zone: `20260706T110000`. */
const local = (instant: number, changes: readonly ClockChange[]): string =>
  compact(instant + (changes.findLast(({ at }) => at <= instant)?.to ?? 0) * 1000);

const compact = (instant: number): string =>
  new Date(instant).toISOString().slice(0, 19).replaceAll('-', '').replaceAll(':', '');

const escaped = (text: string): string => text.replace(/[\\;,]/g, String.raw`\$&`);

/** Splits a line into lines of at most 75 octets. No character is cut. */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= MOST_OCTETS) return line;
  let [text, octets] = ['', 0];
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > MOST_OCTETS) [text, octets] = [`${text}\r\n `, 1];
    text += character;
    octets += size;
  }
  return text;
}

function summaryOf({ client_id, client_name, service_menu }: CalendarRow, full: boolean): string {
  const service = full ? printable(service_menu?.name ?? '') : '';
  if (client_id === null) return service || 'Blocked';
  const name = printable(client_name ?? '');
  const shown = (full ? name : initialsOf(name)) || 'Appointment';
  return service === '' ? shown : `${shown} (${service})`;
}

/** The text on one line, without the control characters that RFC 5545 forbids. */
const printable = (text: string): string => text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
