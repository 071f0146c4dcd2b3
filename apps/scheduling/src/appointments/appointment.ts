// The rules of an appointment: the events that a change makes.

import { appointments, type Appointment, type AppointmentStatus } from '@practice/contracts';
import { changedEvents, sets, transition } from '@practice/resource';
import type {
  ChangeCommand,
  Changes,
  Command,
  CreateCommand,
  Decider,
  Draft,
  EventOf,
  EventTypesWith,
  Lookup,
  LookupContext,
} from '@practice/resource';
import { clientLookups, followingName, nameOfNew } from './client-name.js';
import { checkBookingRules, hoursLookup } from './enforced-rules.js';
import {
  followingInstants,
  instantsOfNew,
  possibleDays,
  settingsLookup,
  timesAfter,
  timesOfNew,
} from './instants.js';
import { followingPrice, priceLookups, priceOf } from './price.js';
import { endAfterChange, endOf, freeSeat, occupies, slotLookups } from './slot.js';

type Appointments = typeof appointments;
type StatusEvent = EventTypesWith<Appointments, 'status'>;

/** Changes of these columns may make an appointment collide with another one. */
const slotColumns = [
  ...(['date', 'start_time', 'end_time'] as const),
  ...(['service_id', 'practitioner_id', 'allow_overlap'] as const),
];

/** The columns that an appointment takes from its series. */
export const seriesColumns = [
  ...(['date', 'start_time', 'end_time'] as const),
  ...(['client_id', 'service_id', 'practitioner_id', 'notes'] as const),
];

export const appointment: Decider<Appointments> = {
  definition: appointments,
  enforces: ['appointments_no_double_booking', 'appointments_seat_key'],
  follows: ['client_name'],

  lookups(command, state) {
    const next = after(command, state);
    if (next === null) return [];
    return [
      settingsLookup(next.therapist_id),
      ...(needsSlot(command, state, next) ? daysLookups(command, next) : []),
      ...clientLookups(command, state),
      ...priceLookups(command),
    ];
  },

  decide(command, state, context) {
    switch (command.kind) {
      case 'create':
        return [scheduled(command, context)];
      case 'change':
        return state === null ? [] : changed(state, command, context);
      case 'delete':
        return [{ type: 'AppointmentDeleted', data: {} }];
    }
  },
};

function scheduled(command: CreateCommand<Appointments>, context: LookupContext): EventOf<Appointments> {
  // The zone may have changed since the deletion of a record that an undo brings back: its times count, not its instants.
  const draft =
    command.isUndo === true ? { ...command.record, starts_at: null, ends_at: null } : command.record;
  const times = timesOfNew(draft, context);
  const record: Appointment = {
    ...draft,
    ...times,
    end_time: times.end_time ?? endOf({ ...draft, ...times }, context),
    client_name: nameOfNew(command, context),
    price: draft.price ?? (command.isUndo === true ? null : priceOf(draft.service_id, context)),
  };
  const instants = instantsOfNew(record, context);
  const seat = freeSeat(record, context);
  // An undo restores a state that was accepted before.
  if (command.isUndo !== true && occupies(record)) checkBookingRules(record, context);
  return { type: 'AppointmentScheduled', data: { ...record, ...instants, seat } };
}

function changed(
  state: Appointment,
  command: ChangeCommand<Appointments>,
  context: LookupContext,
): EventOf<Appointments>[] {
  const { changes: intended, isUndo } = command;
  const {
    date: _day,
    start_time: _time,
    end_time: given,
    starts_at: _start,
    ends_at: _end,
    ...named
  } = intended;
  const { is_exception: _, ...details } = named;
  const { end_time, ...moved } = timesAfter(state, intended, context);
  const others = { ...details, ...moved };
  const end = given === null ? (end_time ?? endAfterChange(state, others, context)) : end_time;
  const own = {
    ...others,
    ...(end === undefined || end === state.end_time ? {} : { end_time: end }),
    ...followingName(state, command, context),
    ...followingPrice(command, state.price, context),
  };
  const instants = followingInstants(state, { given: intended, next: { ...state, ...own } }, context);
  const changes = { ...own, ...instants };
  const next = { ...state, ...changes };
  const exception = exceptionAfter(state, command, changes);
  const isBooking = takesTime(state, next, changes);
  const seat = isBooking ? freeSeat(next, context) : state.seat;
  if (isBooking && isUndo !== true && isBooked(state, changes)) checkBookingRules(next, context);
  const all = { ...changes, ...exception, ...(seat === state.seat ? {} : { seat }) };
  return changedEvents(appointments, all, {
    status: (to) =>
      isUndo === true ? restoring(state.status, to) : transition(appointments, state.status, to),
  });
}

const restoring = (from: AppointmentStatus, to: AppointmentStatus): StatusEvent | 'AppointmentRestored' =>
  (appointments.transitions?.[from]?.[to] as StatusEvent | undefined) ?? 'AppointmentRestored';

/** The change of `is_exception`, if the appointment of a series becomes or stops being an exception. A change by the series names the column. */
function exceptionAfter(
  state: Appointment,
  { changes: { is_exception: named }, isUndo }: ChangeCommand<Appointments>,
  changes: Changes<Appointments>,
): Pick<Changes<Appointments>, 'is_exception'> {
  const isByItself =
    state.series_id !== null && isUndo !== true && seriesColumns.some((column) => column in changes);
  const after = named ?? (isByItself || state.is_exception);
  return after === state.is_exception ? {} : { is_exception: after };
}

/** The instant that a command gives instead of a day. */
const givenStart = (command: Command<Appointments>): string | null | undefined => {
  const values =
    command.kind === 'create' ? command.record : command.kind === 'change' ? command.changes : {};
  return values.date == null ? values.starts_at : null;
};

function daysLookups(command: Command<Appointments>, next: Draft<Appointments>): Lookup[] {
  const start = givenStart(command);
  const days = start == null ? [next.date ?? []].flat() : possibleDays(start);
  return [...slotLookups(next, days), hoursLookup(days)];
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
  if (command.kind !== 'change') return false;
  return takesTime(state, next, command.changes) || sets(command, ['starts_at', 'ends_at']);
}

/** Whether the appointment takes time that it did not take before. Only then is it compared with others. */
const takesTime = (
  state: Appointment | null,
  next: Draft<Appointments>,
  changes: Changes<Appointments>,
): boolean => occupies(next) && (state === null || !occupies(state) || changesSlot(changes));

const changesSlot = (changes: Changes<Appointments>): boolean =>
  slotColumns.some((column) => column in changes);

/** To take a completion or a no-show back is no booking. */
const isBooked = ({ status }: Appointment, changes: Changes<Appointments>): boolean =>
  status === 'cancelled' || changesSlot(changes);
