// The messages between a gateway, which delivers calendars, and the identity service, which has their links. Only a hash of the
// secret in a link is sent and stored.

import type { CalendarReader } from '../scheduling/calendar.js';

/** The request of a gateway on behalf of the holder of a link. The reply is a `KnownCalendarLink`, or null. */
export const CALENDAR_LINK = 'calendar-link';

/** The path below `BASE_URL`. The secret is in the path, since calendar programs store only the path, so the path must not be logged. */
export const CALENDAR_PATH = 'calendar/v1';

/** The ending of a link. */
export const CALENDAR_FILE = '.ics';

/** The roles that can have calendar links. Other roles do not see everything that a calendar shows. */
export const calendarRoles = ['owner', 'therapist', 'front_desk', 'read_only'] as const;

/** Envelope fields of `calendar-link`. */
export interface CalendarLinkEnvelope {
  /** Hash of the secret. */
  readonly hash: string;
  /** The network address from which the link is used. */
  readonly address: string;
}

/** A valid calendar link. Its calendar shows everything that the person who made the link may see now. */
export interface KnownCalendarLink extends CalendarReader {
  readonly id: string;
  /** Whether the calendar shows names and services. */
  readonly full: boolean;
  /** The member whose calendar it is; null for all calendars of the practice. */
  readonly practitionerId: string | null;
}
