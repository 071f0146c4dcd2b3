// The state of a practice from which free slots are computed, read with one statement.

import {
  appointments,
  businessHours,
  occupyingStatuses,
  practiceSettings,
  serviceMenu,
} from '@practice/contracts';
import type { Named, Resource, RowOf } from '@practice/resource';
import { tableOf } from '@practice/storage';
import { defaultSettings, type BookingSettings } from '../booking/booking-rules.js';
import type { Booked, Practice } from '../booking/free-slots.js';

export interface PracticeState extends Practice {
  /** The requested service; null if it does not exist. */
  readonly service: { readonly duration: number; readonly capacity: number } | null;
}

interface Asked {
  readonly first: string;
  readonly last: string;
  readonly serviceId: string | null;
}

/** The rows of a definition and its columns, in SQL. A name that is not a column does not compile. */
const tableFor = <D extends Named>(definition: D & Pick<Resource, 'service'>, alias: string) => ({
  rows: `${tableOf(definition)} AS ${alias} WHERE ${alias}.therapist_id = $1`,
  column: (name: keyof RowOf<D> & string): string => `${alias}."${name}"`,
});

const { rows: settingsRows } = tableFor(practiceSettings, 's');
const { rows: services, column: ofService } = tableFor(serviceMenu, 'm');
const { rows: spans, column: ofSpan } = tableFor(businessHours, 'h');
const { rows: bookings, column: ofBooking } = tableFor(appointments, 'a');

const time = (column: string): string => `to_char(${column}, 'HH24:MI')`;
const orEmpty = (column: string): string => `coalesce(${column}::text, '')`;
const statuses = occupyingStatuses.map((status) => `'${status}'`).join(', ');

/** The values that `readBooked` reads, as text. Text is smaller than JSON, and 92 days may have thousands of appointments. */
const booking = [
  ofBooking('date'),
  ...[ofBooking('start_time'), ofBooking('end_time')].map((column) => `left(${column}::text, 5)`),
  ...[ofBooking('service_id'), ofBooking('practitioner_id')].map(orEmpty),
];

const TEXT = `SELECT
  (SELECT row_to_json(s)::text FROM ${settingsRows}),
  (SELECT json_build_object('duration', ${ofService('duration')}, 'capacity', ${ofService('capacity')})::text
    FROM ${services} AND ${ofService('id')} = $4::uuid),
  (SELECT json_agg(json_build_object('day_of_week', ${ofSpan('day_of_week')},
      'open_time', ${time(ofSpan('open_time'))}, 'close_time', ${time(ofSpan('close_time'))}))::text
    FROM ${spans}),
  (SELECT string_agg(concat_ws('|', ${booking.join(', ')}), ',')
    FROM ${bookings} AND ${ofBooking('date')} >= $2::date AND ${ofBooking('date')} <= $3::date
    AND ${ofBooking('status')} IN (${statuses}) AND NOT ${ofBooking('allow_overlap')})`;

/** Selects the settings, a service, the business hours, and the appointments that block time between two days. */
export const practiceStatement = (therapistId: string, { first, last, serviceId }: Asked) => ({
  text: TEXT,
  values: [therapistId, first, last, serviceId],
});

/** @param now milliseconds since the epoch */
export function readPractice(
  [row = []]: readonly (readonly (string | null)[])[],
  now: number,
): PracticeState {
  const [settings, service, hours, booked] = row;
  return {
    settings: (parsed(settings) ?? defaultSettings) as BookingSettings,
    service: parsed(service) as PracticeState['service'],
    hours: (parsed(hours) ?? []) as Practice['hours'],
    booked: readAllBooked(booked),
    now,
  };
}

const parsed = (json: string | null | undefined): unknown => (json == null ? null : JSON.parse(json));

/** Reads the appointments one at a time, because there may be many. */
function* readAllBooked(text: string | null | undefined): Generator<Booked> {
  if (text == null) return;
  for (const each of text.split(',')) yield readBooked(each);
}

function readBooked(text: string): Booked {
  const [date = '', start = '', end = '', service = '', practitioner = ''] = text.split('|');
  return {
    ...{ date, start_time: start, end_time: end },
    ...{
      service_id: service === '' ? null : service,
      practitioner_id: practitioner === '' ? null : practitioner,
    },
  };
}
