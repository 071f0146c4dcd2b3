// The appointments that a series books.

import { appointments, type AppointmentSeries, type appointmentSeries } from '@practice/contracts';
import { detailsOfPlace, newId, reject, Rejection } from '@practice/core';
import { newRecord, type Draft, type Lookup, type LookupContext } from '@practice/resource';
import { appointment } from '../appointments/appointment.js';
import { occurrences } from './occurrences.js';

type SeriesDraft = Draft<typeof appointmentSeries>;
type Booking = Draft<typeof appointments>;

/**
 * Makes the appointments of a series by their dates. The values that they share are checked once.
 * @param now the time of their creation
 */
export function bookingsOf(series: SeriesDraft, now = series.created_at): (date: string) => Booking {
  const { date: first, start_time, end_time, client_id, service_id, practitioner_id, notes } = series;
  const { therapist_id: therapistId } = series;
  const values = {
    ...{ date: first, start_time, end_time, client_id, service_id, practitioner_id, notes },
    ...{ series_id: series.id, series_date: first },
  };
  let shared: Booking | undefined;
  return (date) => {
    shared ??= newRecord(appointments, values, { therapistId, now, id: newId }) as Booking;
    return { ...shared, id: newId(), date, series_date: date };
  };
}

/** The rows that decide whether the dates are free. */
export function bookingLookups(series: SeriesDraft): readonly Lookup[] {
  const bookingOn = bookingsOf(series);
  return occurrences(series.rrule, series.date).flatMap((date) =>
    appointment.lookups({ kind: 'create', record: bookingOn(date) }, null),
  );
}

/** The columns of a new series that its appointments decide. */
type Placed = Pick<AppointmentSeries, 'end_time' | 'skipped'>;

/**
 * Checks by the rules of an appointment which occurrences of a new series are free.
 * @throws {Rejection} 409, such as PM002, for the first occurrence that is not free; with `skip` only if no occurrence is free
 */
export function placed(series: SeriesDraft, context: LookupContext): Placed {
  const skipped: string[] = [];
  let end: string | null = null;
  let first: Rejection | undefined;
  const bookingOn = bookingsOf(series);
  for (const date of occurrences(series.rrule, series.date)) {
    const end_time = endIfFree(bookingOn(date), context);
    if (typeof end_time === 'string') {
      end ??= end_time;
      continue;
    }
    first ??= end_time;
    skipped.push(date);
    if (series.on_conflict === 'reject') break;
  }
  if (first !== undefined && (end === null || series.on_conflict === 'reject'))
    reject({
      ...first.problem,
      details: detailsOfPlace(`Occurrence on ${skipped[0]}`, first.problem.details),
    });
  return { end_time: end as string, skipped };
}

/** The end of an appointment, or the reason why it cannot be booked. */
function endIfFree(record: Booking, context: LookupContext): string | Rejection {
  try {
    const [event] = appointment.decide({ kind: 'create', record }, null, context);
    return (event?.data as Booking).end_time as string;
  } catch (error) {
    if (error instanceof Rejection && error.problem.status === 409) return error;
    throw error;
  }
}
