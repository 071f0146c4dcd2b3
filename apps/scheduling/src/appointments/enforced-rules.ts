// The booking rules that a booking must follow if the practice enforces them.

import { businessHours, outsideBookingRules, type Appointment } from '@practice/contracts';
import { reject } from '@practice/core';
import { lookup, type Lookup, type LookupContext } from '@practice/resource';
import { weekdayOf } from '@practice/zone';
import { brokenRule, lastDayOf, tooClose } from '../booking/booking-rules.js';
import { settingsOf } from './instants.js';
import { described, occupies, othersOfDay } from './slot.js';

const explained = {
  hours: 'hours: The time is not within the business hours of the day.',
  notice: 'notice: The start is earlier than the minimum notice allows.',
  horizon: 'horizon: The day is after the last day that can be booked.',
} as const;

/** The business hours of the days that an appointment may be on. */
export const hoursLookup = (days: readonly string[]): Lookup =>
  lookup(businessHours, 'day_of_week', [...new Set(days.map(weekdayOf))]);

/** @throws {Rejection} PM008 naming the rule that the appointment breaks */
export function checkBookingRules(wanted: Appointment, context: LookupContext): void {
  const settings = settingsOf(wanted.therapist_id, context);
  if (!settings.enforce_booking_rules || !occupies(wanted)) return;
  const hours = context.rows(businessHours, 'day_of_week', weekdayOf(wanted.date));
  const now = Date.parse(context.now);
  const broken = brokenRule(wanted, { settings, hours, now, lastDay: lastDayOf(settings, now) });
  if (broken !== null) reject({ ...outsideBookingRules, details: explained[broken] });
  const close = tooClose(wanted, othersOfDay(wanted, context), settings);
  if (close !== undefined) reject({ ...outsideBookingRules, details: `buffer: ${described(close)}` });
}
