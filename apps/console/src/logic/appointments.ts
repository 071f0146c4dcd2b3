// Appointments in a calendar.

import type { Tables } from '@practice/client-types';
import { addDays, minutesOf, mondayOf } from './days.js';

export type Appointment = Tables<'appointments'>;
export type Status = Appointment['status'];
export type View = 'day' | 'week' | 'people';

/** The id of the calendar column for appointments of the whole practice. */
export const EVERYONE = 'everyone';

export interface CalendarEvent {
  readonly id: string;
  readonly start: string;
  readonly end: string;
  readonly title: string;
  readonly resourceIds: string[];
  readonly classNames: string[];
  readonly editable: boolean;
  readonly extendedProps: { readonly appointment: Appointment; readonly isGroup: boolean };
}

export const titleOf = ({ client_name: name, notes }: Appointment): string => name ?? notes ?? 'Blocked';

const SHORT = 30;

/** An appointment for the calendar. Only open appointments can be dragged. */
export const eventOf = (appointment: Appointment): CalendarEvent => ({
  id: appointment.id,
  start: `${appointment.date}T${appointment.start_time}`,
  end: `${appointment.date}T${appointment.end_time}`,
  title: titleOf(appointment),
  resourceIds: [appointment.practitioner_id ?? EVERYONE],
  classNames: [
    `is-${appointment.client_id ? appointment.status : 'block'}`,
    ...(minutesOf(appointment.end_time) - minutesOf(appointment.start_time) < SHORT ? ['is-short'] : []),
  ],
  editable: isOpen(appointment.status),
  extendedProps: { appointment, isGroup: false },
});

/** The columns that the appointments of one group session share. */
export const groupColumns = ['service_id', 'practitioner_id', 'date', 'start_time'] as const;

/**
 * Appointments for the calendar. A group session is one event, with the id of its first appointment.
 * @param groups names of services with several seats, by id
 */
export function eventsOf(
  appointments: readonly Appointment[],
  groups: ReadonlyMap<string, string>,
): CalendarEvent[] {
  const events = new Map<string, CalendarEvent & { seats: number }>();
  for (const one of appointments) {
    const name = groups.get(one.service_id ?? '');
    const key = name === undefined ? one.id : groupColumns.map((column) => one[column]).join();
    const first = events.get(key);
    const seats = (first?.seats ?? 0) + 1;
    const group = first && {
      ...{ title: `${name}: ${seats}`, editable: false },
      extendedProps: { ...first.extendedProps, isGroup: true },
    };
    events.set(key, { ...(first ?? eventOf(one)), ...group, seats });
  }
  return [...events.values()].map(({ seats: _, ...event }) => event);
}

export const isOpen = (status: Status): boolean => status === 'scheduled' || status === 'confirmed';

/** The first and the last day that a view shows. */
export const spanOf = (view: View, date: string): readonly [string, string] =>
  view === 'week' ? [mondayOf(date), addDays(mondayOf(date), 6)] : [date, date];

/** The next steps of an appointment, the most common one first. */
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

const timeColumns = ['date', 'start_time', 'end_time'] as const;

/** The values that differ from the appointment. If one time differs, all times are included, so that the API computes none of them. */
export function changesOf(one: Appointment, wanted: Partial<Appointment>): Partial<Appointment> {
  const different = Object.entries(wanted).filter(
    ([name, value]) => value !== one[name as keyof Appointment],
  );
  const hasTimes = different.some(([name]) => timeColumns.some((column) => column === name));
  const times = hasTimes ? timeColumns.map((name) => [name, wanted[name] ?? one[name]]) : [];
  return Object.fromEntries([...different, ...times]) as Partial<Appointment>;
}

/** A rule for a series; null for a single appointment. */
export function ruleOf(every: 'once' | 'week' | 'fortnight', times: number): string | null {
  if (every === 'once') return null;
  return `FREQ=WEEKLY;${every === 'fortnight' ? 'INTERVAL=2;' : ''}COUNT=${times}`;
}
