// The messages between a live process, which makes calendars, and the scheduling service, which has their appointments.

import type { Identity } from '@practice/core';
import type { AppointmentStatus } from './appointments.js';

/** The request for the version of a calendar. The reply is a `CalendarState`. */
export const CALENDAR_STATE = 'calendar-state';

/** The request for a page of appointments. The body is a `CalendarQuestion`, the reply a list of `CalendarRow`. */
export const CALENDAR_PAGE = 'calendar-page';

/** The maximum number of appointments on one page. */
export const CALENDAR_PAGE_ROWS = 1000;

/** Envelope fields of both requests: the person who made the link, with the current role. */
export type CalendarReader = Pick<Identity, 'therapistId' | 'userId' | 'practiceRole'>;

export interface CalendarState {
  /** The version, which changes with every event of the practice in the log of scheduling, and with every erasure. */
  readonly version: string;
  /** The time zone of the practice. */
  readonly zone: string;
}

export interface CalendarQuestion {
  /** Whether the calendar shows names and services. */
  readonly full: boolean;
  /** The member whose calendar it is; null for all calendars of the practice. */
  readonly practitionerId: string | null;
  /** The first and the last day of the calendar, both included. */
  readonly first: string;
  readonly last: string;
  /** The last row of the previous page. */
  readonly after?: CalendarPlace;
}

export interface CalendarPlace {
  readonly id: string;
  readonly date: string;
}

/** An appointment as a calendar shows it. */
export interface CalendarRow extends CalendarPlace {
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
