// Converts wall times of a time zone to instants and back, by the rules of Temporal (disambiguation `compatible`, as in RFC 5545).
// A wall time that a change of clocks skips moves forward by the gap. If a wall time happens twice, the first instant is used.

import { Temporal } from 'temporal-polyfill';
import { startOfDay } from './days.js';

/** A day, `YYYY-MM-DD`, and a time of day, `HH:MM`. */
export interface WallTime {
  readonly date: string;
  readonly time: string;
}

/** A span of one day. */
export interface WallSpan {
  readonly date: string;
  readonly start_time: string;
  readonly end_time: string;
}

/** The instants of a span in milliseconds since the epoch. */
export interface Instants {
  readonly start: number;
  readonly end: number;
}

/**
 * The instant of a wall time, in milliseconds since the epoch.
 * @param zone a name from the time zone database
 */
export const instantAt = ({ date, time }: WallTime, zone: string): number =>
  instantsOf({ date, start_time: time, end_time: time }, zone).start;

/** The instants of a span. If a gap moves its start forward, its end moves by the same amount. */
export function instantsOf({ date, start_time: from, end_time: to }: WallSpan, zone: string): Instants {
  const day = startOfDay(date, zone);
  if (day.isUniform)
    return { start: day.start + minutesOf(from) * 60_000, end: day.start + minutesOf(to) * 60_000 };
  const wall = Temporal.PlainDateTime.from(`${date}T${from}`);
  const start = wall.toZonedDateTime(zone);
  const moved = wall.until(start.toPlainDateTime());
  const end = Temporal.PlainDateTime.from(`${date}T${to}`).add(moved).toZonedDateTime(zone);
  return { start: start.epochMilliseconds, end: end.epochMilliseconds };
}

/**
 * The wall time of an instant, rounded down to the minute.
 * @param instant milliseconds since the epoch
 */
export function wallTimeAt(instant: number, zone: string): WallTime {
  const local = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).toPlainDateTime();
  return { date: local.toPlainDate().toString(), time: local.toPlainTime().toString().slice(0, 5) };
}

/** Minutes since midnight of a time of day, `HH:MM`. */
export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** A time of day, `HH:MM`, from minutes since midnight. */
export const timeOf = (minutes: number): string => `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;

const pad = (part: number): string => String(part).padStart(2, '0');
