// Appointments as an iCalendar object (RFC 5545). ical-generator writes the properties and escapes texts.

import ical, {
  foldLines,
  ICalEvent,
  ICalEventClass,
  ICalEventStatus,
  ICalEventTransparency,
} from 'ical-generator';
import type { AppointmentStatus } from '@practice/contracts';
import { Temporal } from 'temporal-polyfill';
import { initialsOf } from './initials.js';
import { repeatedHours, timeZoneComponent } from './time-zone-component.js';
import type { Span } from './time-zone-component.js';

/** An appointment as the feed reads it. */
export interface CalendarRow {
  readonly id: string;
  readonly version: number;
  readonly status: AppointmentStatus;
  readonly starts_at: string;
  readonly ends_at: string;
  readonly client_id: string | null;
  readonly client_name: string | null;
  readonly service_menu?: { readonly name: string } | null;
  readonly created_at: string;
  readonly updated_at: string;
}

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
const REFRESH_SECONDS = 15 * 60;
const MOST_OCTETS = 75;
const UTC = 'UTC';
const LAST_LINE = 'END:VCALENDAR';
/** Without a time zone, so that times of records are written in UTC. */
const holder = ical();

const statuses: Readonly<Record<AppointmentStatus, ICalEventStatus>> = {
  scheduled: ICalEventStatus.TENTATIVE,
  confirmed: ICalEventStatus.CONFIRMED,
  completed: ICalEventStatus.CONFIRMED,
  no_show: ICalEventStatus.CONFIRMED,
  cancelled: ICalEventStatus.CANCELLED,
};

/** @param span in which all appointments are */
export function calendarOf(options: CalendarOptions, span: Span): Calendar {
  const { zone } = options;
  const text = ical({
    prodId: '//Practice API//Appointments//EN',
    name: 'Appointments',
    scale: 'GREGORIAN',
    ttl: REFRESH_SECONDS,
    // Times in UTC need no component.
    timezone: zone === UTC ? null : { name: zone, generator: () => timeZoneComponent(zone, span) },
  }).toString();
  const repeated = repeatedHours(zone, span);
  const isRepeated = (instant: number): boolean =>
    repeated.some(({ from, to }) => instant >= from && instant < to);
  return {
    head: text.slice(0, text.lastIndexOf(LAST_LINE)),
    event: (row) => {
      const [start, end] = [Date.parse(row.starts_at), Date.parse(row.ends_at)];
      const shownIn = isRepeated(start) || isRepeated(end) ? UTC : zone;
      return eventText(row, { start: zoned(start, shownIn), end: zoned(end, shownIn) }, options);
    },
    tail: `${LAST_LINE}\r\n`,
  };
}

/** One appointment as a VEVENT. A change of it has a new SEQUENCE, and its UID stays. */
function eventText(
  row: CalendarRow,
  { start, end }: { readonly start: Temporal.ZonedDateTime; readonly end: Temporal.ZonedDateTime },
  { full }: CalendarOptions,
): string {
  const event = new ICalEvent(
    {
      id: row.id,
      sequence: row.version,
      start,
      end,
      timezone: start.timeZoneId,
      stamp: new Date(row.updated_at),
      created: new Date(row.created_at),
      lastModified: new Date(row.updated_at),
      summary: summaryOf(row, full),
      status: statuses[row.status],
      transparency:
        row.status === 'cancelled' ? ICalEventTransparency.TRANSPARENT : ICalEventTransparency.OPAQUE,
      class: ICalEventClass.PRIVATE,
    },
    holder,
  );
  return event.toString().split('\r\n').map(folded).join('\r\n');
}

const zoned = (instant: number, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);

/** The library folds by character, which is slow, so only lines that are too long are given to it. */
const folded = (line: string): string => (Buffer.byteLength(line) <= MOST_OCTETS ? line : foldLines(line));

function summaryOf({ client_id, client_name, service_menu }: CalendarRow, full: boolean): string {
  const service = full ? printable(service_menu?.name ?? '') : '';
  if (client_id === null) return service || 'Blocked';
  const name = printable(client_name ?? '');
  const shown = (full ? name : initialsOf(name)) || 'Appointment';
  return service === '' ? shown : `${shown} (${service})`;
}

/** On one line, without the control characters that RFC 5545 forbids in texts. */
const printable = (text: string): string => text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
