// The rules of an appointment: what may follow what, and when a time is free.

import { reject } from '@practice/core';
import type { Command, Context, Decider, Event, Lookup, World } from '@practice/core';
import { appointments, doubleBooked, occupyingStatuses, serviceMenu } from '@practice/contracts';
import type { Appointment, AppointmentStatus, ServiceMenuEntry } from '@practice/contracts';

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
const timeOrPlace = [...times, 'service_id', 'allow_overlap', 'status'] as const;

export const appointment: Decider<Appointment> = {
  resource: appointments.name,

  lookups(command, state) {
    const next = after(command, state);
    return next === null || !mayTakeTime(command, next) ? [] : [serviceOf(next), dayOf(next)].flat();
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

function scheduled(wish: Appointment, { world }: Context): Event {
  const record = wish.end_time === null ? { ...wish, end_time: endOf(wish, world) } : wish;
  return { type: 'AppointmentScheduled', data: { ...record, seat: freeSeat(record, world) } };
}

/** A change is what happened, told apart: a new time, new details, a new status. */
function changed(state: Appointment, changes: Partial<Appointment>, { world }: Context): Event[] {
  const next = { ...state, ...changes };
  const seat = timeOrPlace.some((column) => column in changes) ? freeSeat(next, world) : state.seat;
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

/**
 * The seat an appointment takes in its slot: 0 unless a group shares the slot.
 * @throws {Rejection} PM002 naming the appointment in the way
 */
function freeSeat(wish: Appointment, world: World): number {
  if (!occupies(wish)) return wish.seat;
  const near = world
    .rows<Appointment>(appointments.name, 'date', wish.date)
    .filter((other) => other.id !== wish.id && occupies(other) && overlap(wish, other));
  const inTheWay = near.find((other) => !sharesSlot(wish, other));
  if (inTheWay !== undefined) reject({ ...doubleBooked, details: described(inTheWay) });
  const [first] = near;
  if (first !== undefined && near.length >= capacityOf(wish, world))
    reject({ ...doubleBooked, details: described(first) });
  const taken = new Set(near.map(({ seat }) => seat));
  if (!taken.has(wish.seat)) return wish.seat;
  return [...Array(near.length + 1).keys()].find((seat) => !taken.has(seat)) ?? 0;
}

const occupies = ({ status, allow_overlap: allowsOverlap }: Appointment): boolean =>
  occupyingStatuses.includes(status) && !allowsOverlap;

/** Half-open spans: one may begin when the other ends. */
const overlap = (one: Appointment, other: Appointment): boolean =>
  one.start_time < other.end_time && other.start_time < one.end_time;

const sharesSlot = (one: Appointment, other: Appointment): boolean =>
  one.service_id !== null &&
  one.service_id === other.service_id &&
  one.start_time === other.start_time &&
  one.end_time === other.end_time;

const described = ({ id, date, start_time: start, end_time: end }: Appointment): string =>
  `Appointment ${id} on ${date} from ${start} to ${end} is in the way.`;

function capacityOf({ service_id: serviceId }: Appointment, world: World): number {
  return (serviceId === null ? undefined : menuEntry(serviceId, world)?.capacity) ?? 1;
}

const menuEntry = (id: string, world: World): ServiceMenuEntry | undefined =>
  world.rows<ServiceMenuEntry>(serviceMenu.name, 'id', id)[0];

/** Null when the day is over before the service is: the record's own check says so. */
function endOf({ start_time: start, service_id: serviceId }: Appointment, world: World): string {
  const duration = (serviceId === null ? undefined : menuEntry(serviceId, world)?.duration) ?? 0;
  const [hours = 0, minutes = 0] = start.split(':').map(Number);
  const end = hours * 60 + minutes + duration;
  if (end >= 24 * 60) reject(pastMidnight(start, duration));
  return `${pad(Math.floor(end / 60))}:${pad(end % 60)}`;
}

const pastMidnight = (start: string, duration: number) => ({
  status: 400,
  code: '23514',
  message: 'new row for relation "appointments" violates check constraint "appointments_end_time_check"',
  details: `${duration} minutes from ${start} end on the next day; an appointment ends on the day it begins.`,
});

const pad = (part: number): string => String(part).padStart(2, '0');

function after(command: Command<Appointment>, state: Appointment | null): Appointment | null {
  if (command.kind === 'delete') return null;
  return command.kind === 'create' ? command.record : state && { ...state, ...command.changes };
}

/** Only what could take up time that it did not take up before needs to look at its neighbours. */
const mayTakeTime = (command: Command<Appointment>, next: Appointment): boolean =>
  command.kind === 'create'
    ? occupies(next) || next.end_time === null
    : changesTime(command) && occupies(next);

const changesTime = (command: Command<Appointment>): boolean =>
  command.kind === 'change' && timeOrPlace.some((column) => column in command.changes);

const serviceOf = ({ service_id: serviceId }: Appointment): Lookup[] =>
  serviceId === null ? [] : [{ resource: serviceMenu.name, column: 'id', values: [serviceId] }];

const dayOf = ({ date }: Appointment): Lookup[] => [
  { resource: appointments.name, column: 'date', values: [date] },
];

function pick<K extends keyof Appointment>(
  changes: Partial<Appointment>,
  columns: readonly K[],
): Partial<Appointment> | null {
  const kept = Object.entries(changes).filter(([column]) => (columns as readonly string[]).includes(column));
  return kept.length === 0 ? null : Object.fromEntries(kept);
}
