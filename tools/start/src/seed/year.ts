// A year of appointments around one day: half of it before, half of it after. Pure: the same day gives the same year.
import type { Faker } from '@faker-js/faker';
import { comesOn, type SeedClient } from './clients.js';
import { dayAfter, daysBetween, weekdayOf } from './day.js';
import { couples, firstSession, group, openSpans, weights, type SeedService } from './practice.js';

type Status = 'scheduled' | 'confirmed' | 'completed' | 'cancelled' | 'no_show';

export interface Practice {
  readonly services: readonly SeedService[];
  readonly clients: readonly SeedClient[];
  readonly faker: Faker;
}

/** A weekly time that two clients share, one in even and one in odd weeks. */
interface Place {
  readonly weekday: number;
  readonly from: number;
  readonly service: SeedService;
  readonly regulars: readonly [SeedClient, SeedClient];
}

const HALF_A_YEAR = 182;
/** The next two weeks are confirmed. */
const CONFIRMED_AHEAD = 14;
/** The opening hours of the group are as long as one session. */
const GROUP_MINUTES = 60;
/** A first session is within a week of the client's first day. */
const NEW_FOR = 7;

/** All appointments of the year around `today` (YYYY-MM-DD), by time, within opening hours and without overlaps. */
export function yearRound(today: string, practice: Practice) {
  const week = openSpans.flatMap((span) => placesIn(span, practice));
  const days = Array.from({ length: 2 * HALF_A_YEAR + 1 }, (_, index) =>
    dayAfter(today, index - HALF_A_YEAR),
  );
  return days.flatMap((date) => {
    const clients = practice.clients.filter((client) => comesOn(client, date));
    return week
      .filter(({ weekday }) => weekday === weekdayOf(date))
      .flatMap((place) =>
        visitorsOf(place, date, { ...practice, clients }).map((client) => ({
          id: practice.faker.string.uuid(),
          date,
          start_time: timeOf(place.from),
          end_time: timeOf(place.from + place.service.duration),
          status: statusOf(daysBetween(today, date), practice.faker),
          client_id: client.id,
          service: place.service,
        })),
      );
  });
}

export type SeedAppointment = ReturnType<typeof yearRound>[number];

function placesIn(span: (typeof openSpans)[number], { services, clients, faker }: Practice): Place[] {
  const [opens, closes] = [minutes(span.open_time), minutes(span.close_time)];
  const isForGroup = closes - opens === GROUP_MINUTES;
  const suitable = services.filter(({ name }) => (name === group) === isForGroup);
  const places: Place[] = [];
  for (let from = opens; ;) {
    const fitting = suitable.filter(({ duration }) => from + duration <= closes);
    if (fitting.length === 0) return places;
    const service = faker.helpers.weightedArrayElement(
      fitting.map((value) => ({ value, weight: weights[value.name] ?? 1 })),
    );
    const pair = clients.filter(({ isCouple }) => isCouple === (service.name === couples));
    const regulars = [faker.helpers.arrayElement(pair), faker.helpers.arrayElement(pair)] as const;
    places.push({ weekday: span.weekday, from, service, regulars });
    from = Math.ceil((from + service.duration + 10) / 10) * 10;
  }
}

/** The visitors of a place on a day, out of the clients of that time. */
function visitorsOf({ service, regulars }: Place, date: string, { clients, faker }: Practice): SeedClient[] {
  if (service.name === group)
    return faker.helpers.arrayElements([...clients], { min: 2, max: service.capacity - 1 });
  if (service.name === firstSession)
    return clients.filter(({ joined }) => daysBetween(joined, date) < NEW_FOR).slice(0, 1);
  // Not every hour is booked.
  if (!faker.datatype.boolean(0.7)) return [];
  const regular = regulars[Math.floor(daysBetween('2024-01-01', date) / 7) % 2] as SeedClient;
  if (clients.includes(regular)) return [regular];
  return faker.helpers.arrayElements(
    clients.filter(({ isCouple }) => isCouple === regular.isCouple),
    1,
  );
}

function statusOf(daysAhead: number, faker: Faker): Status {
  const oneOf = (shares: Readonly<Partial<Record<Status, number>>>) =>
    faker.helpers.weightedArrayElement(
      Object.entries(shares).map(([value, weight]) => ({
        value: value as Status,
        weight,
      })),
    );
  if (daysAhead < 0) return oneOf({ completed: 84, cancelled: 10, no_show: 6 });
  return daysAhead <= CONFIRMED_AHEAD
    ? oneOf({ cancelled: 6, confirmed: 74, scheduled: 20 })
    : oneOf({ cancelled: 6, scheduled: 94 });
}

function minutes(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

function timeOf(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
}
