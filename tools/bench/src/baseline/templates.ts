// Events and rows as text, with @words for the values of each transaction.

import { exampleBooking } from '../calendar.js';
import { eventJson, recordJson, rowOf } from './records.js';
import { ID } from './sql.js';

const now = '2027-01-01T00:00:00.000000+00:00';

/** An appointment; only day and hour are free. */
const appointment = (day: string, hour: string) => {
  const times = { start_time: `${hour}:00`, end_time: `${hour}:50` };
  return rowOf(ID, { ...exampleBooking, ...times, date: day }, { id: '@id', now });
};

export const appointmentJson = (day: string, hour: string): string => JSON.stringify(appointment(day, hour));

export const appointmentRecord = (day: string, hour: string, version: string): string =>
  recordJson(appointment(day, hour), version);

const event = (type: string, data: object): string =>
  eventJson({ type, id: '@id', position: '@position', version: '@version', data }, { newId: () => ID, now });

export const scheduledEvent = (day: string, hour: string): string =>
  event('AppointmentScheduled', appointment(day, hour));

export const confirmedEvent: string = event('AppointmentConfirmed', { status: 'confirmed' });
