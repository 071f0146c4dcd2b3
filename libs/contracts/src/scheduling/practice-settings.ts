import { column, resource, type RowOf, type Upcast } from '@practice/resource';

const DAY = 24 * 60;

const ASSISTANT_LIMIT = 5;

const columns = {
  time_zone: column.text({
    default: 'UTC',
    format: 'time-zone',
    maxLength: 64,
    description: 'Dates and times of day are wall times of this zone.',
  }),
  currency: column.text({
    default: 'EUR',
    format: 'currency',
    description:
      'The currency of all amounts of the practice, as a code of ISO 4217. It stays once an invoice is finalized (409 `PM021`).',
  }),
  slot_step: column.integer({
    default: 15,
    min: 5,
    max: DAY,
    description: 'Minutes between the starts of free slots, from the opening of a span of business hours.',
  }),
  buffer_before: column.integer({
    default: 0,
    min: 0,
    max: DAY,
    description: 'Minutes that stay free before an appointment.',
  }),
  buffer_after: column.integer({
    default: 0,
    min: 0,
    max: DAY,
    description: 'Minutes that stay free after an appointment.',
  }),
  minimum_notice: column.integer({
    default: 0,
    min: 0,
    max: 366 * DAY,
    description: 'Minutes between a booking and the earliest start that it may have.',
  }),
  booking_horizon: column.integer({
    default: 365,
    min: 1,
    max: 3660,
    description: 'Days from today to the last day that can be booked.',
  }),
  enforce_booking_rules: column.boolean({
    default: false,
    description:
      'True: bookings outside of these rules and business hours are rejected. False: the rules only limit `free_slots`.',
  }),
  assistant_limit: column.integer({
    default: ASSISTANT_LIMIT,
    min: 1,
    max: 1000,
    description:
      'Records that an assistant may change at once without a confirmation on the page of the API.',
  }),
};

type Current = RowOf<{ readonly columns: typeof columns }>;
type Version2 = Omit<Current, 'assistant_limit'>;

/** Upcasts version 1, which had no currency: every amount was in euros. */
const inEuros: Upcast<Omit<Version2, 'currency'>, Version2> = (data) => ({ ...data, currency: 'EUR' });

/** Upcasts version 2, which had no limit for assistants. */
const withLimit: Upcast<Version2, Current> = (data) => ({ ...data, assistant_limit: ASSISTANT_LIMIT });

export const practiceSettings = resource({
  name: 'practice_settings',
  service: 'scheduling',
  aggregate: 'booking_rules',
  description:
    'The time zone and the currency of the practice, and its rules for bookings. Every practice has one record, with the id of the practice.',
  roles: { front_desk: 'read', billing: 'read' },
  changeOnly: true,
  fromStart: true,
  columns,
  events: {
    BookingRulesSet: { shape: 'created', version: 3, upcast: { 1: inEuros, 2: withLimit } },
    BookingRulesChanged: 'others',
  },
});

export type PracticeSettings = RowOf<typeof practiceSettings>;
