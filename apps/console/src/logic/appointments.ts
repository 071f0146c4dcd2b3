// Appointments in a calendar.

import type { Tables } from '@practice/client-types';
import { addDays, mondayOf } from './days.js';

export type Appointment = Tables<'appointments'>;
export type Status = Appointment['status'];
export type View = 'day' | 'week' | 'people';

/** The column of appointments that concern everyone. */
export const EVERYONE = 'everyone';

export interface CalendarEvent {
  readonly id: string;
  readonly start: string;
  readonly end: string;
  readonly title: string;
  readonly resourceIds: string[];
  readonly classNames: string[];
  readonly editable: boolean;
  readonly extendedProps: { readonly appointment: Appointment };
}

export const titleOf = ({ client_name: name, notes }: Appointment): string => name ?? notes ?? 'Blocked';

/** An appointment for the calendar. Only open ones can be dragged. */
export const eventOf = (appointment: Appointment): CalendarEvent => ({
  id: appointment.id,
  start: `${appointment.date}T${appointment.start_time}`,
  end: `${appointment.date}T${appointment.end_time}`,
  title: titleOf(appointment),
  resourceIds: [appointment.practitioner_id ?? EVERYONE],
  classNames: [`is-${appointment.client_id ? appointment.status : 'block'}`],
  editable: isOpen(appointment.status),
  extendedProps: { appointment },
});

export const isOpen = (status: Status): boolean => status === 'scheduled' || status === 'confirmed';

/** The first and the last day that a view shows. */
export const spanOf = (view: View, date: string): readonly [string, string] =>
  view === 'week' ? [mondayOf(date), addDays(mondayOf(date), 6)] : [date, date];

/** The next steps of an appointment, the most usual one first. */
export const stepsFrom: Readonly<Record<Status, readonly (readonly [Status, string])[]>> = {
  scheduled: [
    ['confirmed', 'Confirm'],
    ['completed', 'Complete'],
    ['no_show', 'No-show'],
  ],
  confirmed: [
    ['completed', 'Complete'],
    ['no_show', 'No-show'],
  ],
  completed: [['confirmed', 'Not completed']],
  cancelled: [['scheduled', 'Book again']],
  no_show: [['completed', 'Completed after all']],
};

/** The appointment that takes the time: the refusal names it. */
export const inTheWay = (details: string | null | undefined): string | null =>
  /Appointment ([0-9a-f-]{36}) /.exec(details ?? '')?.[1] ?? null;

/** A rule for a series; null for a single appointment. */
export function ruleOf(every: 'once' | 'week' | 'fortnight', times: number): string | null {
  if (every === 'once') return null;
  return `FREQ=WEEKLY;${every === 'fortnight' ? 'INTERVAL=2;' : ''}COUNT=${times}`;
}
