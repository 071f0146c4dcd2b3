// Days of a time zone. Almost no day has a change of clocks, so most wall times need no lookup in the time zone database.

import { Temporal } from 'temporal-polyfill';

/** The first instant of a day, in milliseconds since the epoch. `isUniform` is true if clocks do not change on the day. */
export interface Day {
  readonly start: number;
  readonly isUniform: boolean;
}

const known = new Map<string, Day>();
const MAX_KNOWN = 10_000;

/** The start of a day in a time zone. @param zone a name from the time zone database */
export function startOfDay(date: string, zone: string): Day {
  const key = `${date} ${zone}`;
  const cached = known.get(key);
  if (cached !== undefined) return cached;
  const day = readDay(date, zone);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, day);
  return day;
}

function readDay(date: string, zone: string): Day {
  const plain = Temporal.PlainDate.from(date).toPlainDateTime();
  const start = plain.toZonedDateTime(zone);
  const next = plain.add({ days: 1 }).toZonedDateTime(zone);
  const change = start.getTimeZoneTransition('next');
  const isWhole = start.toPlainDateTime().equals(plain);
  const isUniform = isWhole && (change === null || change.epochMilliseconds >= next.epochMilliseconds);
  return { start: start.epochMilliseconds, isUniform };
}

/** The day that is a number of days after another day. */
export const addDays = (date: string, days: number): string =>
  Temporal.PlainDate.from(date).add({ days }).toString();

/** The number of days from one day to another. */
export const daysBetween = (from: string, to: string): number =>
  Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to)).days;

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

export type Weekday = (typeof weekdays)[number];

/** The weekday of a day, in lower case. */
export const weekdayOf = (date: string): Weekday =>
  weekdays[Temporal.PlainDate.from(date).dayOfWeek - 1] as Weekday;

/** Whether a text is the name of a weekday, in lower case. */
export const isWeekday = (text: string): text is Weekday => weekdays.some((each) => each === text);
