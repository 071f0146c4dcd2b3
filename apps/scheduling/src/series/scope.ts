// The appointments of a series that a change of it concerns.

import { occupyingStatuses, type Appointment } from '@practice/contracts';
import type { WallTime } from '@practice/zone';

export interface Scope {
  /** Occurrences of the rule on this day and later are concerned. */
  readonly from: string;
  /** Whether an appointment is concerned. Only one that still blocks its time is. */
  takes(appointment: Appointment): boolean;
}

/**
 * Appointments that begin after a moment.
 * @param now in the time zone of the practice
 * @param includesExceptions whether appointments that were changed by themselves are concerned too
 */
export const ahead = (now: WallTime, includesExceptions: boolean): Scope => ({
  from: now.date,
  takes: (appointment) =>
    isOpen(appointment, includesExceptions) &&
    `${appointment.date}T${appointment.start_time}` > `${now.date}T${now.time}`,
});

/** The occurrences on a day and later, by the dates of the rule. */
export const following = (from: string, includesExceptions: boolean): Scope => ({
  from,
  takes: (appointment) =>
    isOpen(appointment, includesExceptions) && (appointment.series_date ?? appointment.date) >= from,
});

const isOpen = ({ status, is_exception: isException }: Appointment, includesExceptions: boolean): boolean =>
  occupyingStatuses.includes(status) && (includesExceptions || !isException);
