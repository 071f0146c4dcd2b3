// Appointments as an iCalendar object (RFC 5545).

import type { AppointmentStatus, CalendarRow } from '@practice/contracts';
import { initialsOf } from './initials.js';
import { changesOfClocks, repeatedHours, timeZoneComponent } from './time-zone-component.js';
import type { ClockChange, Span } from './time-zone-component.js';

export interface CalendarOptions {
  /** The time zone of the practice. */
  readonly zone: string;
  /** Whether it shows names of clients and services. */
  readonly full: boolean;
}

/** The parts of a calendar: its text is the head, an event for each appointment, and the tail. */
export interface Calendar {
  readonly head: string;
  readonly event: (row: CalendarRow) => string;
  readonly tail: string;
}

/** How often calendar programs should read it again. */
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

/** @param span in which all appointments are */
export function calendarOf(options: CalendarOptions, span: Span): Calendar {
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
    event: (row) => {
      const [start, end] = [Date.parse(row.starts_at), Date.parse(row.ends_at)];
      const isUtc = zone === UTC || isRepeated(start) || isRepeated(end);
      const timeOf = (instant: number): string =>
        isUtc ? `:${utc(instant)}` : `;TZID=${zone}:${local(instant, changes)}`;
      return textOf(eventLines(row, { start: timeOf(start), end: timeOf(end) }, options));
    },
    tail: textOf(['END:VCALENDAR']),
  };
}

/** One appointment as a VEVENT. A change of it has a new SEQUENCE, and its UID stays. */
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

/** `20260706T090000Z` */
const utc = (instant: number): string => `${compact(instant)}Z`;

/** The same without `Z`, as the clocks of the zone show it. */
const local = (instant: number, changes: readonly ClockChange[]): string =>
  compact(instant + (changes.findLast(({ at }) => at <= instant)?.to ?? 0) * 1000);

const compact = (instant: number): string =>
  new Date(instant).toISOString().slice(0, 19).replaceAll('-', '').replaceAll(':', '');

const escaped = (text: string): string => text.replace(/[\\;,]/g, String.raw`\$&`);

/** A line of at most 75 octets, with the rest in further lines. No character is cut. */
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

/** On one line, without the control characters that RFC 5545 forbids in texts. */
const printable = (text: string): string => text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
