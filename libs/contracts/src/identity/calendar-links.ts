// The messages between a gateway, which delivers calendars, and the identity service, which knows their links. Only a hash of the
// secret in a link travels and is stored.

import type { PracticeRole } from '@practice/core';

/** The request of a gateway for the holder of a link. The reply is a `KnownCalendarLink`, or null. */
export const CALENDAR_LINK = 'calendar-link';

/** Below `BASE_URL`. The secret is in the path, since calendar programs keep the path only: it must not be logged. */
export const CALENDAR_PATH = 'calendar/v1';

/** The ending of a link. */
export const CALENDAR_FILE = '.ics';

/** The roles that can have calendar links. Others do not see all that a calendar shows. */
export const calendarRoles = ['owner', 'therapist', 'front_desk', 'read_only'] as const;

/** Envelope fields of `calendar-link`. */
export interface CalendarLinkEnvelope {
  /** Hash of the secret. */
  readonly hash: string;
  /** The network address that the link is used from. */
  readonly address: string;
}

/** A link that leads to a calendar. It shows what its maker may see now. */
export interface KnownCalendarLink {
  readonly id: string;
  readonly therapistId: string;
  /** The person who made it. */
  readonly userId: string;
  readonly practiceRole: PracticeRole;
  /** Whether it shows names and services. */
  readonly full: boolean;
  /** The member whose calendar it is; null: every calendar of the practice. */
  readonly practitionerId: string | null;
}
