// The rules of a practice about the times that can be booked: business hours, buffers, notice and horizon. Pure.

import { practiceSettings, type PracticeSettings } from '@practice/contracts';
import { defaultsOf } from '@practice/resource';
import { addDays, instantAt, instantsOf, minutesOf, startOfDay, timeOf, wallTimeAt } from '@practice/zone';
import type { WallSpan } from '@practice/zone';
import { sharesCalendar, sharesSlot, type Occupied } from './occupancy.js';

/** The settings that booking rules use. */
export type BookingSettings = Omit<
  PracticeSettings,
  'id' | 'therapist_id' | 'created_at' | 'updated_at' | 'currency'
>;

/** The settings of a practice that has never changed them. */
export const defaultSettings = defaultsOf(practiceSettings.columns) as BookingSettings;

/** A span of business hours. */
export interface OpenSpan {
  readonly open_time: string;
  readonly close_time: string;
}

interface Terms {
  readonly settings: BookingSettings;
  /** The business hours of the weekday. */
  readonly hours: readonly OpenSpan[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The last day within the horizon. */
  readonly lastDay: string;
}

/** The last day that can be booked. @param now milliseconds since the epoch */
export const lastDayOf = ({ time_zone: zone, booking_horizon: days }: BookingSettings, now: number): string =>
  addDays(wallTimeAt(now, zone).date, days);

/** The rule that a time breaks, independent of other bookings; null if it breaks no rule. */
export function brokenRule(
  span: WallSpan,
  { settings, hours, now, lastDay }: Terms,
): 'hours' | 'notice' | 'horizon' | null {
  const { time_zone: zone, minimum_notice: notice } = settings;
  const isOpen = hours.some(
    ({ open_time: open, close_time: close }) => open <= span.start_time && span.end_time <= close,
  );
  if (!isOpen || !isOnClock(span, zone)) return 'hours';
  if (span.date > lastDay) return 'horizon';
  return instantAt({ date: span.date, time: span.start_time }, zone) < now + notice * 60_000
    ? 'notice'
    : null;
}

/** Whether the whole span exists: no change of clocks skips its start, its end or a part of it. */
function isOnClock(span: WallSpan, zone: string): boolean {
  if (startOfDay(span.date, zone).isUniform) return true;
  const last = timeOf(minutesOf(span.end_time) - 1);
  const { start, end } = instantsOf(span, zone);
  const isShown = (time: string): boolean =>
    wallTimeAt(instantAt({ date: span.date, time }, zone), zone).time === time;
  return (
    isShown(span.start_time) &&
    isShown(last) &&
    end - start >= (minutesOf(span.end_time) - minutesOf(span.start_time)) * 60_000
  );
}

/**
 * An appointment of the same day that is too close: two appointments of a calendar must have both buffers between them.
 * @param others appointments that block time and do not overlap the wanted one
 */
export function tooClose<Other extends Occupied>(
  wanted: Occupied,
  others: readonly Other[],
  { buffer_before: before, buffer_after: after }: BookingSettings,
): Other | undefined {
  const gap = before + after;
  if (gap === 0) return undefined;
  const [start, end] = [minutesOf(wanted.start_time), minutesOf(wanted.end_time)];
  return others.find(
    (other) =>
      start < minutesOf(other.end_time) + gap &&
      minutesOf(other.start_time) < end + gap &&
      sharesCalendar(wanted, other) &&
      !sharesSlot(wanted, other),
  );
}
