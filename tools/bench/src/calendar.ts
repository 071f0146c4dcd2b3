// The appointments of the benchmark: eight on each day, an hour apart, so that any number of them never overlap.

import { PER_DAY } from './scenario.js';

const DAY = 86_400_000;

/** The first day with the seed of the first practice. */
export const SEED_BEGINS = Date.UTC(2027, 0, 4);
/** Practices begin on different days, so that most reads ask for dates for which no recent read has asked. */
const DAYS_APART = 28;
export const seedBegins = (practice: number): number => SEED_BEGINS + practice * DAYS_APART * DAY;
/** The first day with appointments that have a client and a service. */
export const LINKED_BEGINS = Date.UTC(2060, 0, 5);
/**
 * Days from here on are free for bookings during the measurements. Each side has its own years: one hot practice gets bookings for
 * more than a hundred years.
 */
export const FREE_BEGINS = {
  product: Date.UTC(2070, 0, 6),
  plain: Date.UTC(3000, 0, 6),
  flood: Date.UTC(4000, 0, 3),
};

const FIRST_HOUR = 8;
const statuses = ['scheduled', 'confirmed', 'scheduled', 'completed'];

/** The date `days` days after `begins`, as YYYY-MM-DD. */
export const dayOf = (begins: number, days: number): string =>
  new Date(begins + days * DAY).toISOString().slice(0, 10);

/** The `index`-th appointment of a practice's calendar, from the day `begins` on. */
export function booking(begins: number, index: number, status = statusOf(index)) {
  const hour = String(FIRST_HOUR + (index % PER_DAY)).padStart(2, '0');
  return {
    date: dayOf(begins, Math.floor(index / PER_DAY)),
    start_time: `${hour}:00`,
    end_time: `${hour}:50`,
    status,
    client_name: `Client ${index % 40}`,
    notes: 'Comes by tram; prefers the second chair by the window.',
  };
}

export type Booking = Readonly<ReturnType<typeof booking>>;

const statusOf = (index: number): string => statuses[index % statuses.length] as string;
