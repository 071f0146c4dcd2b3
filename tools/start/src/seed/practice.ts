// The demo practice: its services and its opening hours.
import type { Faker } from '@faker-js/faker';

/** Names, and how often each is booked. */
export const firstSession = 'Initial consultation';
export const couples = 'Couples therapy';
export const group = 'Relaxation group';
export const weights: Readonly<Record<string, number>> = {
  [firstSession]: 1,
  'Individual therapy': 7,
  [couples]: 2,
  'Phone check-in': 1,
};

/** Name, minutes, price and capacity. */
const services = [
  [firstSession, 90, 150, 1],
  ['Individual therapy', 50, 110, 1],
  [couples, 80, 160, 1],
  ['Phone check-in', 20, 40, 1],
  [group, 60, 35, 8],
] as const;

export const servicesOffered = (faker: Faker) =>
  services.map(([name, duration, price, capacity]) => ({
    id: faker.string.uuid(),
    name,
    duration,
    price,
    capacity,
  }));

export type SeedService = ReturnType<typeof servicesOffered>[number];

/** By the number of `Date.getUTCDay`. The group has Wednesday evening to itself. */
const hours = [
  ['sunday', []],
  ['monday', ['09:00-12:30', '13:30-18:00']],
  ['tuesday', ['09:00-12:30', '13:30-18:00']],
  ['wednesday', ['09:00-12:30', '13:30-17:00', '17:30-18:30']],
  ['thursday', ['09:00-12:30', '14:00-20:00']],
  ['friday', ['09:00-12:30']],
] as const;

export const openSpans = hours.flatMap(([day_of_week, spans], weekday) =>
  spans.map((span) => ({
    weekday,
    day_of_week,
    open_time: span.slice(0, 5),
    close_time: span.slice(6),
  })),
);
