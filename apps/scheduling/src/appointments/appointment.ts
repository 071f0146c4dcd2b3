// The rules of an appointment: which status may follow which, and the events that a change makes.

import { appointments } from '@practice/contracts';
import type { Appointment, AppointmentStatus } from '@practice/contracts';
import { reject } from '@practice/core';
import { changedEvents } from '@practice/resource';
import type {
  Changes,
  Command,
  Decider,
  Draft,
  EventOf,
  EventTypesWith,
  LookupContext,
} from '@practice/resource';
import { clientLookups, followingName, nameOf } from './client-name.js';
import { endAfterChange, endOf, freeSeat, occupies, slotLookups } from './slot.js';

type Appointments = typeof appointments;
type StatusEvent = EventTypesWith<Appointments, 'status'>;

/** For each status: the statuses that may follow, each with its event. */
const transitions: Record<AppointmentStatus, Partial<Record<AppointmentStatus, StatusEvent>>> = {
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

/** Changes of these columns may make an appointment collide with another one. */
const slotColumns = ['date', 'start_time', 'end_time', 'service_id', 'allow_overlap'] as const;

export const appointment: Decider<Appointments> = {
  definition: appointments,
  enforces: ['appointments_no_double_booking', 'appointments_seat_key'],

  lookups(command, state) {
    const next = after(command, state);
    if (next === null) return [];
    return [...(needsSlot(command, state, next) ? slotLookups(next) : []), ...clientLookups(command, state)];
  },

  decide(command, state, context) {
    switch (command.kind) {
      case 'create':
        return [scheduled(command.record, context)];
      case 'change':
        return state === null ? [] : changed(state, command.changes, context);
      case 'delete':
        return [{ type: 'AppointmentDeleted', data: {} }];
    }
  },
};

function scheduled(draft: Draft<Appointments>, context: LookupContext): EventOf<Appointments> {
  const record: Appointment = {
    ...draft,
    end_time: draft.end_time ?? endOf(draft, context),
    client_name: draft.client_name ?? nameOf(draft.client_id, context),
  };
  return { type: 'AppointmentScheduled', data: { ...record, seat: freeSeat(record, context) } };
}

function changed(
  state: Appointment,
  intended: Changes<Appointments>,
  context: LookupContext,
): EventOf<Appointments>[] {
  const { end_time: given, ...others } = intended;
  const end = given === null ? endAfterChange(state, others, context) : given;
  const changes = {
    ...others,
    ...(end === undefined || end === state.end_time ? {} : { end_time: end }),
    ...followingName(state, intended, context),
  };
  const next = { ...state, ...changes };
  const seat = takesTime(state, next, changes) ? freeSeat(next, context) : state.seat;
  return changedEvents(appointments, seat === state.seat ? changes : { ...changes, seat }, {
    status: (to) => transition(state.status, to),
  });
}

/** @throws {Rejection} PM001 with the statuses that may follow */
function transition(from: AppointmentStatus, to: AppointmentStatus): StatusEvent {
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

function after(command: Command<Appointments>, state: Appointment | null): Draft<Appointments> | null {
  if (command.kind === 'create') return command.record;
  return command.kind === 'change' ? state && { ...state, ...command.changes } : null;
}

function needsSlot(
  command: Command<Appointments>,
  state: Appointment | null,
  next: Draft<Appointments>,
): boolean {
  if (next.end_time === null) return true;
  if (command.kind === 'create') return occupies(next);
  return command.kind === 'change' && takesTime(state, next, command.changes);
}

/** Only an appointment that takes up time it did not take up before is compared with others. */
const takesTime = (
  state: Appointment | null,
  next: Draft<Appointments>,
  changes: Changes<Appointments>,
): boolean =>
  occupies(next) && (state === null || !occupies(state) || slotColumns.some((column) => column in changes));
