// When a time is free, and which of a group's seats an appointment takes.

import { appointments, doubleBooked, occupyingStatuses, serviceMenu } from '@practice/contracts';
import type { Appointment, ServiceMenuEntry } from '@practice/contracts';
import { reject } from '@practice/core';
import type { Lookup, World } from '@practice/core';

/** What must be looked up before a slot can be judged: the service, and everything on that day. */
export const slotLookups = ({ service_id: serviceId, date }: Appointment): Lookup[] => [
  ...(serviceId === null ? [] : [{ resource: serviceMenu.name, column: 'id', values: [serviceId] }]),
  { resource: appointments.name, column: 'date', values: [date] },
];

/**
 * The seat an appointment takes in its slot: 0 unless a group shares the slot.
 * @throws {Rejection} PM002 naming the appointment in the way
 */
export function freeSeat(wish: Appointment, world: World): number {
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

/** Whether it takes up its time: kept apart from others that do. */
export const occupies = ({ status, allow_overlap: allowsOverlap }: Appointment): boolean =>
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

/**
 * The end of an appointment whose length is its service's.
 * @throws {Rejection} 23514 when that would be on the next day
 */
export function endOf({ start_time: start, service_id: serviceId }: Appointment, world: World): string {
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
