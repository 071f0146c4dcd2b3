// The appointments of a series that a change of the series affects.

import { occupyingStatuses, type Appointment } from '@practice/contracts';
import type { WallTime } from '@practice/zone';

export interface Scope {
  /** The first day of the affected occurrences of the rule. */
  readonly from: string;
  /** Whether a new rule has only these occurrences. Otherwise it also has the earlier ones. */
  readonly isRest: boolean;
  /** Whether an appointment is affected. Only appointments that still block their time are affected. */
  takes(appointment: Appointment): boolean;
}

/**
 * Appointments that begin after a moment.
 * @param now in the time zone of the practice
 * @param includesExceptions whether appointments that were changed individually are also affected
 */
export const ahead = (now: WallTime, includesExceptions: boolean): Scope => ({
  from: now.date,
  isRest: false,
  takes: (appointment) =>
    isOpen(appointment, includesExceptions) &&
    `${appointment.date}T${appointment.start_time}` > `${now.date}T${now.time}`,
});

/** The occurrences on a day and later, by the dates of the rule. */
export const following = (from: string, includesExceptions: boolean): Scope => ({
  from,
  isRest: true,
  takes: (appointment) =>
    isOpen(appointment, includesExceptions) && (appointment.series_date ?? appointment.date) >= from,
});

const isOpen = ({ status, is_exception: isException }: Appointment, includesExceptions: boolean): boolean =>
  occupyingStatuses.includes(status) && (includesExceptions || !isException);
