// What happens to an appointment: what may follow what, and what a change of it means.

import { appointments } from '@practice/contracts';
import type { Appointment, AppointmentStatus } from '@practice/contracts';
import { reject } from '@practice/core';
import type { Command, Context, Decider, Event } from '@practice/core';
import { clientLookups, followingName, nameOf } from './client-name.js';
import { endOf, freeSeat, occupies, slotLookups } from './slot.js';

/** From each status: where it may go, and the fact that this is. */
const transitions: Record<AppointmentStatus, Partial<Record<AppointmentStatus, string>>> = {
  scheduled: {
    confirmed: 'AppointmentConfirmed',
    completed: 'AppointmentCompleted',
    cancelled: 'AppointmentCancelled',
    no_show: 'AppointmentMarkedNoShow',
  },
  confirmed: {
    scheduled: 'AppointmentUnconfirmed',
    completed: 'AppointmentCompleted',
    cancelled: 'AppointmentCancelled',
    no_show: 'AppointmentMarkedNoShow',
  },
  completed: { confirmed: 'AppointmentCompletionUndone' },
  cancelled: { scheduled: 'AppointmentReinstated' },
  no_show: { confirmed: 'AppointmentConfirmed', completed: 'AppointmentCompleted' },
};

const times = ['date', 'start_time', 'end_time'] as const;
const details = ['client_id', 'client_name', 'service_id', 'notes', 'allow_overlap'] as const;
const slot = [...times, 'service_id', 'allow_overlap'] as const;

export const appointment: Decider<Appointment> = {
  resource: appointments.name,

  lookups(command, state) {
    const next = after(command, state);
    if (next === null) return [];
    return [
      ...(mayTakeTime(command, state, next) ? slotLookups(next) : []),
      ...clientLookups(command, state),
    ];
  },

  decide(command, state, context) {
    switch (command.kind) {
      case 'create':
        return [scheduled(command.record, context)];
      case 'change':
        return state === null ? [] : changed(state, command.changes, context);
      case 'delete':
        return [{ type: 'AppointmentDeleted', data: {} }];
      case 'act':
        throw new Error(`an appointment cannot ${command.act}`);
    }
  },
};

function scheduled(wish: Appointment, { world }: Context): Event {
  const end = wish.end_time === null ? { end_time: endOf(wish, world) } : {};
  const name = wish.client_name === null ? { client_name: nameOf(wish.client_id, world) } : {};
  const record = { ...wish, ...end, ...name };
  return { type: 'AppointmentScheduled', data: { ...record, seat: freeSeat(record, world) } };
}

/** A change is what happened, told apart: a new time, new details, a new status. */
function changed(state: Appointment, wished: Partial<Appointment>, { world }: Context): Event[] {
  const changes = { ...wished, ...followingName(state, wished, world) };
  const next = { ...state, ...changes };
  const seat = takesTime(state, next, changes) ? freeSeat(next, world) : state.seat;
  const reseated = seat === state.seat ? {} : { seat };
  const events: Event[] = [];
  const rescheduled = pick(changes, times);
  if (rescheduled !== null)
    events.push({ type: 'AppointmentRescheduled', data: { ...rescheduled, ...reseated } });
  const redetailed = pick(changes, details);
  if (redetailed !== null)
    events.push({ type: 'AppointmentDetailsChanged', data: { ...redetailed, ...reseated } });
  if (changes.status !== undefined) {
    const data = occupies(next) ? { status: next.status, ...reseated } : { status: next.status };
    events.push({ type: transition(state.status, next.status), data });
  }
  return events;
}

/** @throws {Rejection} PM001 naming what is allowed */
function transition(from: AppointmentStatus, to: AppointmentStatus): string {
  const allowed = transitions[from];
  return (
    allowed[to] ??
    reject({
      status: 409,
      code: 'PM001',
      message: `an appointment cannot go from ${from} to ${to}`,
      hint: `From ${from} it can go to ${Object.keys(allowed).join(', ')}.`,
    })
  );
}

function after(command: Command<Appointment>, state: Appointment | null): Appointment | null {
  if (command.kind === 'create') return command.record;
  return command.kind === 'change' ? state && { ...state, ...command.changes } : null;
}

function mayTakeTime(command: Command<Appointment>, state: Appointment | null, next: Appointment): boolean {
  if (command.kind === 'create') return occupies(next) || next.end_time === null;
  return command.kind === 'change' && takesTime(state, next, command.changes);
}

/** Only what takes up time that it did not take up before needs to look at its neighbours. */
const takesTime = (state: Appointment | null, next: Appointment, changes: Partial<Appointment>): boolean =>
  occupies(next) && (state === null || !occupies(state) || slot.some((column) => column in changes));

function pick<K extends keyof Appointment>(
  changes: Partial<Appointment>,
  columns: readonly K[],
): Partial<Appointment> | null {
  const kept = Object.entries(changes).filter(([column]) => (columns as readonly string[]).includes(column));
  return kept.length === 0 ? null : Object.fromEntries(kept);
}
