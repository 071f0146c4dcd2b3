// Whether a time is free, which seat of a group slot an appointment takes, and when it ends.

import { appointments, doubleBooked, occupyingStatuses, serviceMenu } from '@practice/contracts';
import type { Appointment, ServiceMenuEntry } from '@practice/contracts';
import { type Problem, problemFor, reject } from '@practice/core';
import { lookup, type Draft, type Lookup, type LookupContext } from '@practice/resource';
import { minutesOf, timeOf } from '@practice/zone';
import { overlap, placeAmong, sharesSlot } from '../booking/occupancy.js';

type Booking = Draft<typeof appointments>;
/** An appointment, or a series of them. */
type Timed = Pick<Appointment, 'start_time' | 'end_time' | 'service_id'>;

/** The rows that decide whether a slot is free: its service, and all appointments of the days that it may be on. */
export const slotLookups = ({ service_id: serviceId }: Booking, days: readonly string[]): Lookup[] => [
  lookup(serviceMenu, 'id', [serviceId]),
  lookup(appointments, 'date', days),
];

/**
 * The seat that an appointment takes in its slot: 0 unless a group shares the slot.
 * @throws {Rejection} PM002 naming the appointment that already takes the time
 */
export function freeSeat(wanted: Appointment, context: LookupContext): number {
  if (!occupies(wanted)) return wanted.seat;
  const others = othersOfDay(wanted, context);
  const simultaneous = others.filter((other) => overlap(wanted, other));
  const { inTheWay } = placeAmong(wanted, simultaneous, capacityOf(wanted, context));
  if (inTheWay !== undefined) reject(takenBy(inTheWay));
  // Seats are numbered across calendars, so the index that keeps seats distinct does not need to contain the calendar.
  const taken = new Set(simultaneous.filter((other) => sharesSlot(wanted, other)).map(({ seat }) => seat));
  if (!taken.has(wanted.seat)) return wanted.seat;
  return [...Array(taken.size + 1).keys()].find((seat) => !taken.has(seat)) ?? 0;
}

/** Whether an appointment blocks its time for others. */
export const occupies = ({
  status,
  allow_overlap: allowsOverlap,
}: Pick<Booking, 'status' | 'allow_overlap'>): boolean =>
  occupyingStatuses.includes(status) && !allowsOverlap;

/** The other appointments that block time on the day. */
export const othersOfDay = (wanted: Appointment, context: LookupContext): Appointment[] =>
  context
    .rows(appointments, 'date', wanted.date)
    .filter((other) => other.id !== wanted.id && occupies(other));

/** The problem with the conflicting appointment as data, so that a program can show it. Every role that books may see it. */
const takenBy = ({ id, date, start_time, end_time }: Appointment): Problem => ({
  ...doubleBooked,
  message: `${doubleBooked.message}: ${date}, ${start_time} to ${end_time}`,
  details: [{ id, date, start_time, end_time }],
});

export const described = ({ id, date, start_time: start, end_time: end }: Appointment): string =>
  `Appointment ${id} on ${date} from ${start} to ${end} already takes this time.`;

const capacityOf = ({ service_id: serviceId }: Appointment, context: LookupContext): number =>
  menuEntry(serviceId, context)?.capacity ?? 1;

const menuEntry = (id: string | null, context: LookupContext): ServiceMenuEntry | undefined =>
  id === null ? undefined : context.rows(serviceMenu, 'id', id)[0];

/**
 * The end of an appointment that takes as long as its service.
 * @throws {Rejection} 23514 when the end is on the next day
 */
export const endOf = (
  booking: Pick<Appointment, 'start_time' | 'service_id'>,
  context: LookupContext,
): string => endFrom(booking.start_time, menuEntry(booking.service_id, context)?.duration ?? 0);

/**
 * The end of an appointment after a change that names no end. The length is the length of its service, or stays without a service.
 * @throws {Rejection} 23514 when the end is on the next day
 */
export function endAfterChange(state: Timed, changes: Partial<Timed>, context: LookupContext): string {
  const next = { ...state, ...changes };
  const length = minutesOf(state.end_time) - minutesOf(state.start_time);
  return endFrom(next.start_time, menuEntry(next.service_id, context)?.duration ?? length);
}

function endFrom(start: string, duration: number): string {
  const end = minutesOf(start) + duration;
  if (end >= 24 * 60) reject(pastMidnight(start, duration));
  return timeOf(end);
}

const pastMidnight = (start: string, duration: number) =>
  problemFor('23514', {
    message: `end_time must be on the day of start_time: ${duration} minutes after ${start} is the next day`,
    details: `${duration} minutes after ${start} is on the next day. An appointment must end on the day it starts.`,
  });
