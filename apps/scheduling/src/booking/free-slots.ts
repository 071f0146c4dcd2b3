// The free slots of a range of days, from the settings, the business hours and the appointments of a practice. Pure.

import type { Steps } from '@practice/core';
import { addDays, instantsOf, minutesOf, timeOf, weekdayOf, type Weekday } from '@practice/zone';
import { overlap, placeAmong, type Occupied } from './occupancy.js';
import { brokenRule, lastDayOf, tooClose, type BookingSettings, type OpenSpan } from './booking-rules.js';

/** An appointment that blocks its time. */
export interface Booked extends Occupied {
  readonly date: string;
}

type Span = OpenSpan & { readonly day_of_week: Weekday };

/** The state of a practice. */
export interface Practice {
  readonly settings: BookingSettings;
  readonly hours: readonly Span[];
  /** The appointments that block time on the days. */
  readonly booked: Iterable<Booked>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The requested slots. */
export interface Wanted {
  readonly from: string;
  readonly to: string;
  /** The length of a slot in minutes. */
  readonly duration: number;
  readonly serviceId: string | null;
  /** The number of bookings that a slot of the service takes; 1 without a service. */
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

/**
 * The free slots in order of time, in steps that `processTime` can run.
 * @param most the requested number of slots; later slots are not computed
 */
export function* freeSlotsOf(practice: Practice, wanted: Wanted, most = Infinity): Steps<readonly Slot[]> {
  const slots: Slot[] = [];
  const byDay = yield* bookedByDay(practice.booked);
  const lastDay = lastDayOf(practice.settings, practice.now);
  for (let date = wanted.from; date <= wanted.to; date = addDays(date, 1)) {
    const weekday = weekdayOf(date);
    if (wanted.weekdays !== null && !wanted.weekdays.includes(weekday)) continue;
    const hours = practice.hours.filter(({ day_of_week: day }) => day === weekday);
    if (hours.length === 0) continue;
    const day = { date, hours, lastDay, booked: byDay.get(date) ?? [] };
    for (const slot of slotsOfDay(day, practice, wanted)) {
      if (slot !== null && slots.push(slot) >= most) return slots;
      yield;
    }
  }
  return slots;
}

function* bookedByDay(booked: Iterable<Booked>): Steps<Map<string, Booked[]>> {
  const byDay = new Map<string, Booked[]>();
  for (const each of booked) {
    const day = byDay.get(each.date);
    if (day === undefined) byDay.set(each.date, [each]);
    else day.push(each);
    yield;
  }
  return byDay;
}

interface Day {
  readonly date: string;
  readonly hours: readonly Span[];
  readonly lastDay: string;
  readonly booked: readonly Booked[];
}

type Times = Pick<Occupied, 'start_time' | 'end_time'>;

/** Yields a slot for each free time of the day, and null for each other time. */
function* slotsOfDay(day: Day, practice: Practice, wanted: Wanted): Generator<Slot | null> {
  const { after, before } = wanted;
  const around = sweep(day.booked, practice.settings);
  for (const times of candidates(day, practice.settings, wanted)) {
    const { start_time: start, end_time: end } = times;
    const isWanted = (after ?? start) <= start && end <= (before ?? end);
    yield isWanted ? slotAt(times, around(times), { day, practice, wanted }) : null;
  }
}

/**
 * Finds the appointments that overlap a time or are too close to it. Calls must have times in order and of the same length: then
 * each appointment is added and removed once, and no other appointment of the day is compared.
 */
function sweep(booked: readonly Booked[], { buffer_before: before, buffer_after: after }: BookingSettings) {
  const gap = before + after;
  const coming = booked
    .map((each) => ({
      ...each,
      from: minutesOf(each.start_time) - gap,
      to: minutesOf(each.end_time) + gap,
    }))
    .sort((one, other) => one.from - other.from);
  let next = 0;
  let around: typeof coming = [];
  return ({ start_time: start, end_time: end }: Times): readonly Booked[] => {
    const [first, last] = [minutesOf(start), minutesOf(end)];
    for (let come = coming[next]; come !== undefined && come.from < last; come = coming[next]) {
      around.push(come);
      next += 1;
    }
    if (around.some(({ to }) => to <= first)) around = around.filter(({ to }) => to > first);
    return around;
  };
}

/** The times at the step from the opening of each span, and the times of groups of the service, sorted and without duplicates. */
function candidates({ hours, booked }: Day, { slot_step: step }: BookingSettings, wanted: Wanted): Times[] {
  const { duration, serviceId } = wanted;
  const starts = new Set<number>();
  for (const { open_time: open, close_time: close } of hours)
    for (let start = minutesOf(open); start + duration <= minutesOf(close); start += step) starts.add(start);
  for (const { service_id: service, start_time: start, end_time: end } of booked)
    if (service !== null && service === serviceId && minutesOf(end) - minutesOf(start) === duration)
      starts.add(minutesOf(start));
  return [...starts]
    .sort((one, other) => one - other)
    .map((start) => ({ start_time: timeOf(start), end_time: timeOf(start + duration) }));
}

/** The slot at a time; null if the time is not free. @param around the appointments that overlap the time or are too close to it */
function slotAt(
  times: Times,
  around: readonly Booked[],
  { day, practice, wanted }: { readonly day: Day; readonly practice: Practice; readonly wanted: Wanted },
): Slot | null {
  const { date, hours, lastDay } = day;
  const { settings, now } = practice;
  const slot = { ...times, service_id: wanted.serviceId, practitioner_id: wanted.practitionerId };
  const simultaneous = around.filter((other) => overlap(slot, other));
  const { inTheWay, seatsLeft } = placeAmong(slot, simultaneous, wanted.capacity);
  if (inTheWay !== undefined || tooClose(slot, around, settings) !== undefined) return null;
  const span = { date, ...times };
  if (brokenRule(span, { settings, hours, now, lastDay }) !== null) return null;
  return { ...span, ...instantsOf(span, settings.time_zone), seatsLeft };
}
