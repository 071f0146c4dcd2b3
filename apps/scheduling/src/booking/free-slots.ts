// The free slots of a range of days, from the settings, the business hours and the appointments of a practice. Pure.

import { addDays, instantsOf, minutesOf, timeOf, weekdayOf } from '@practice/zone';
import type { Weekday } from '@practice/zone';
import { overlap, placeAmong } from '../appointments/occupancy.js';
import type { Occupied } from '../appointments/occupancy.js';
import { brokenRule, lastDayOf, tooClose } from './booking-rules.js';
import type { BookingSettings, OpenSpan } from './booking-rules.js';

/** An appointment that blocks its time. */
export interface Booked extends Occupied {
  readonly date: string;
}

/** The state of a practice. */
export interface Practice {
  readonly settings: BookingSettings;
  readonly hours: readonly (OpenSpan & { readonly day_of_week: Weekday })[];
  /** The appointments that block time on the days. */
  readonly booked: readonly Booked[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The slots that are wanted. */
export interface Wanted {
  readonly from: string;
  readonly to: string;
  /** Minutes. */
  readonly duration: number;
  readonly serviceId: string | null;
  /** How many bookings a slot of the service takes; 1 without a service. */
  readonly capacity: number;
  readonly practitionerId: string | null;
  readonly weekdays: readonly string[] | null;
  /** The earliest start, and the latest end. */
  readonly after: string | null;
  readonly before: string | null;
}

export interface Slot {
  readonly date: string;
  readonly start_time: string;
  readonly end_time: string;
  /** Milliseconds since the epoch. */
  readonly start: number;
  readonly end: number;
  readonly seatsLeft: number;
}

/** The free slots in order of time. */
export function freeSlotsOf(practice: Practice, wanted: Wanted): Slot[] {
  const byDay = new Map<string, Booked[]>();
  for (const each of practice.booked) {
    const day = byDay.get(each.date);
    if (day === undefined) byDay.set(each.date, [each]);
    else day.push(each);
  }
  const slots: Slot[] = [];
  const lastDay = lastDayOf(practice.settings, practice.now);
  for (let date = wanted.from; date <= wanted.to; date = addDays(date, 1)) {
    const weekday = weekdayOf(date);
    if (wanted.weekdays !== null && !wanted.weekdays.includes(weekday)) continue;
    const hours = practice.hours.filter(({ day_of_week: day }) => day === weekday);
    if (hours.length > 0)
      slots.push(...slotsOfDay({ date, hours, lastDay, booked: byDay.get(date) ?? [] }, practice, wanted));
  }
  return slots;
}

interface Day {
  readonly date: string;
  readonly hours: readonly OpenSpan[];
  readonly lastDay: string;
  readonly booked: readonly Booked[];
}

type Times = Pick<Occupied, 'start_time' | 'end_time'>;

function slotsOfDay(day: Day, practice: Practice, wanted: Wanted): Slot[] {
  const { after, before } = wanted;
  return candidates(day, practice.settings, wanted)
    .filter(({ start_time: start, end_time: end }) => (after ?? start) <= start && end <= (before ?? end))
    .flatMap((times) => slotAt(times, day, { practice, wanted }));
}

/** The times at the step from the opening of each span, and the times of the groups of the service, in order and each once. */
function candidates({ hours, booked }: Day, { slot_step: step }: BookingSettings, wanted: Wanted): Times[] {
  const { duration, serviceId } = wanted;
  const times = new Map<string, Times>();
  const add = (start: string, end: string): void =>
    void times.set(`${start} ${end}`, { start_time: start, end_time: end });
  for (const { open_time: open, close_time: close } of hours)
    for (let start = minutesOf(open); start + duration <= minutesOf(close); start += step)
      add(timeOf(start), timeOf(start + duration));
  for (const { service_id: service, start_time: start, end_time: end } of booked)
    if (service !== null && service === serviceId && minutesOf(end) - minutesOf(start) === duration)
      add(start, end);
  return [...times.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each);
}

function slotAt(
  times: Times,
  { date, hours, lastDay, booked }: Day,
  { practice, wanted }: { readonly practice: Practice; readonly wanted: Wanted },
): Slot[] {
  const { settings, now } = practice;
  const slot = { ...times, service_id: wanted.serviceId, practitioner_id: wanted.practitionerId };
  const simultaneous = booked.filter((other) => overlap(slot, other));
  const { inTheWay, seatsLeft } = placeAmong(slot, simultaneous, wanted.capacity);
  if (inTheWay !== undefined || tooClose(slot, booked, settings) !== undefined) return [];
  const span = { date, ...times };
  if (brokenRule(span, { settings, hours, now, lastDay }) !== null) return [];
  return [{ ...span, ...instantsOf(span, settings.time_zone), seatsLeft }];
}
