// Appointments, their events and commands for specs.

import { appointments, type Appointment } from '@practice/contracts';
import type { Changes, Command, Draft, EventOf, Restored } from '@practice/resource';
import { recordsOf, specOf } from '@practice/testing';
import { appointment } from '../appointment.js';
import { instantsIn } from '../instants.js';

type Appointments = typeof appointments;
type Fact = EventOf<Appointments>;

export const given = specOf(appointment);

const recordWithout = recordsOf(appointments, {
  date: '2026-05-04',
  start_time: '09:00',
  end_time: '10:00',
});

/** A record of a practice in UTC. */
export function record(but: Partial<Appointment> = {}): Appointment {
  const made = recordWithout(but);
  return { ...made, ...instantsIn(made, 'UTC'), ...but };
}

export const scheduled = (but: Partial<Appointment> = {}): Fact => ({
  type: 'AppointmentScheduled',
  data: record(but),
});
/** The event of a move. @param changes of `record()`; the event also has the instants */
export function rescheduled(
  changes: Partial<Pick<Appointment, 'date' | 'start_time' | 'end_time' | 'seat'>>,
): Fact {
  const { starts_at, ends_at, time_zone } = record(changes);
  return { type: 'AppointmentRescheduled', data: { ...changes, starts_at, ends_at, time_zone } };
}
export const confirmed = (): Fact => ({ type: 'AppointmentConfirmed', data: { status: 'confirmed' } });
export const completed = (): Fact => ({ type: 'AppointmentCompleted', data: { status: 'completed' } });
export const cancelled = (): Fact => ({ type: 'AppointmentCancelled', data: { status: 'cancelled' } });
export const missed = (): Fact => ({ type: 'AppointmentMarkedNoShow', data: { status: 'no_show' } });

export const schedule = (but: Partial<Draft<Appointments>> = {}): Command<Appointments> => ({
  kind: 'create',
  record: { ...record(), starts_at: null, ends_at: null, ...but },
});
export const change = (changes: Changes<Appointments>): Command<Appointments> => ({
  kind: 'change',
  changes,
});
/** The undo of a deletion. */
export const bringBack = (but: Partial<Appointment> = {}): Command<Appointments> => ({
  kind: 'create',
  record: record(but),
  isUndo: true,
});
/** The undo of a change. */
export const setBack = (changes: Restored<Appointments>): Command<Appointments> => ({
  kind: 'change',
  changes,
  isUndo: true,
});
export const cancel = (): Command<Appointments> => change({ status: 'cancelled' });
