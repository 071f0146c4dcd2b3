// A year of appointments round one day: half of it behind, half of it ahead. Pure: the same day gives the same year.
import { comesOn, type SeedClient } from './clients.js';
import { dayAfter, daysBetween, weekdayOf } from './day.js';
import { idOf } from './identity.js';
import {
  firstSession,
  group,
  openSpans,
  servicesOffered,
  weekdays,
  type OpenSpan,
  type ServiceOffered,
} from './practice.js';
import type { Chance } from './random.js';

export interface SeedAppointment {
  readonly id: string;
  /** YYYY-MM-DD */
  readonly date: string;
  /** HH:MM */
  readonly start_time: string;
  readonly end_time: string;
  readonly status: 'scheduled' | 'confirmed' | 'completed' | 'cancelled' | 'no_show';
  readonly client_id: string;
  /** Name of the service offered. */
  readonly service: string;
}

/** A place in the week that two clients share, one in even and one in odd weeks, as long as they come. */
interface Place {
  readonly weekday: number;
  readonly from: number;
  readonly service: ServiceOffered;
  readonly regulars: readonly [SeedClient, SeedClient];
}

const HALF_A_YEAR = 182;
/** The next two weeks have been confirmed, as a practice does by telephone. */
const CONFIRMED_AHEAD = 14;
/** A first session is within a week of the client's coming. */
const NEW_FOR = 7;

/** All appointments of the year round `today` (YYYY-MM-DD), by time; they lie within opening hours and do not overlap. */
export function yearRound(today: string, clients: readonly SeedClient[], chance: Chance): SeedAppointment[] {
  const week = openSpans.flatMap((span) => placesIn(span, clients, chance));
  const days = Array.from({ length: 2 * HALF_A_YEAR + 1 }, (_, index) =>
    dayAfter(today, index - HALF_A_YEAR),
  );
  return days.flatMap((date) => {
    const present = clients.filter((client) => comesOn(client, date));
    return week
      .filter(({ weekday }) => weekday === weekdayOf(date))
      .flatMap((place) =>
        whoComes(place, { date, present, chance }).map((client) =>
          booked(place, client, { date, status: statusOf(daysBetween(today, date), chance) }),
        ),
      );
  });
}

function placesIn(span: OpenSpan, clients: readonly SeedClient[], chance: Chance): Place[] {
  const [opens, closes] = [minutes(span.open_time), minutes(span.close_time)];
  const weekday = weekdays.indexOf(span.day_of_week);
  const regulars = (service: ServiceOffered): Place['regulars'] => {
    const fitting = clients.filter(
      ({ concern }) => (concern === 'couple') === (service.name === 'Couples therapy'),
    );
    return [chance.pick(fitting), chance.pick(fitting)];
  };
  if (closes - opens === group.duration)
    return [{ weekday, from: opens, service: group, regulars: regulars(group) }];
  const places: Place[] = [];
  for (let from = opens; ;) {
    const fitting = servicesOffered.filter(({ duration, weight }) => weight > 0 && from + duration <= closes);
    if (fitting.length === 0) return places;
    const service = chance.pick(fitting, ({ weight }) => weight);
    places.push({ weekday, from, service, regulars: regulars(service) });
    from = Math.ceil((from + service.duration + 10) / 10) * 10;
  }
}

interface Day {
  readonly date: string;
  readonly present: readonly SeedClient[];
  readonly chance: Chance;
}

function whoComes({ service, regulars }: Place, { date, present, chance }: Day): SeedClient[] {
  if (service === group) return groupOf(present, chance);
  if (service === firstSession)
    return present.filter(({ joined }) => daysBetween(joined, date) < NEW_FOR).slice(0, 1);
  // Not every hour is booked.
  if (chance.next() > 0.85) return [];
  const regular = regulars[Math.floor(daysBetween('2024-01-01', date) / 7) % 2] as SeedClient;
  if (present.includes(regular)) return [regular];
  const others = present.filter(({ concern }) => (concern === 'couple') === (regular.concern === 'couple'));
  return others.length === 0 ? [] : [chance.pick(others)];
}

/** Several clients in one slot: each once, and no more than the group's capacity. */
function groupOf(present: readonly SeedClient[], chance: Chance): SeedClient[] {
  const first = Math.floor(chance.next() * present.length);
  const count = Math.min(present.length, 3 + Math.floor(chance.next() * (group.capacity - 2)));
  return Array.from({ length: count }, (_, index) => present[(first + index) % present.length] as SeedClient);
}

function booked(
  { from, service }: Place,
  client: SeedClient,
  { date, status }: Pick<SeedAppointment, 'date' | 'status'>,
): SeedAppointment {
  const start_time = timeOf(from);
  return {
    id: idOf('appointment', date, start_time, client.id),
    date,
    start_time,
    end_time: timeOf(from + service.duration),
    status,
    client_id: client.id,
    service: service.name,
  };
}

function statusOf(daysAhead: number, chance: Chance): SeedAppointment['status'] {
  const at = chance.next();
  if (daysAhead < 0) {
    if (at < 0.84) return 'completed';
    return at < 0.94 ? 'cancelled' : 'no_show';
  }
  if (at < 0.06) return 'cancelled';
  return daysAhead <= CONFIRMED_AHEAD && at < 0.8 ? 'confirmed' : 'scheduled';
}

function minutes(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

function timeOf(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
}
