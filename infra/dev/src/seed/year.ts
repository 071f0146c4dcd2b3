// A year of appointments round one day: half of it behind, half of it ahead. Pure: the same day gives the same year.
import {
  clientNames,
  group,
  openSpans,
  servicesOffered,
  weekdays,
  type OpenSpan,
  type ServiceOffered,
} from './practice.js';
import type { Chance } from './random.js';

export interface SeedAppointment {
  /** YYYY-MM-DD */
  readonly date: string;
  /** HH:MM */
  readonly start_time: string;
  readonly end_time: string;
  readonly status: 'scheduled' | 'confirmed' | 'completed' | 'cancelled' | 'no_show';
  readonly client_name: string;
  /** Name of the service offered. */
  readonly service: string;
}

const HALF_A_YEAR = 182;
const DAY = 86_400_000;
/** The next two weeks have been confirmed, as a practice does by telephone. */
const CONFIRMED_AHEAD = 14;

/** All appointments of the year round `today` (YYYY-MM-DD), by time; they lie within opening hours and do not overlap. */
export function yearRound(today: string, chance: Chance): SeedAppointment[] {
  const middle = Date.parse(`${today}T00:00:00Z`);
  const days = Array.from({ length: 2 * HALF_A_YEAR + 1 }, (_, index) => index - HALF_A_YEAR);
  return days.flatMap((ahead) => {
    const day = new Date(middle + ahead * DAY);
    const date = day.toISOString().slice(0, 10);
    const spans = openSpans.filter((span) => span.day_of_week === weekdays[day.getUTCDay()]);
    return spans.flatMap((span) =>
      appointmentsIn(span, chance).map((slot) => ({ date, ...slot, status: statusOf(ahead, chance) })),
    );
  });
}

type Slot = Pick<SeedAppointment, 'start_time' | 'end_time' | 'client_name' | 'service'>;

function appointmentsIn(span: OpenSpan, chance: Chance): Slot[] {
  const [opens, closes] = [minutes(span.open_time), minutes(span.close_time)];
  if (closes - opens === group.duration) return groupAt(opens, chance);
  const slots: Slot[] = [];
  for (let at = opens; ;) {
    const fitting = servicesOffered.filter(({ duration, weight }) => weight > 0 && at + duration <= closes);
    if (fitting.length === 0) return slots;
    const service = chance.pick(fitting, ({ weight }) => weight);
    // Not every hour is booked.
    if (chance.next() < 0.8) slots.push(slotOf(service, at, chance.pick(clientNames)));
    at = Math.ceil((at + service.duration + 10) / 10) * 10;
  }
}

/** Several people in one slot, never more than have room, and nobody twice. */
function groupAt(opens: number, chance: Chance): Slot[] {
  const first = Math.floor(chance.next() * clientNames.length);
  const count = 3 + Math.floor(chance.next() * (group.capacity - 2));
  return Array.from({ length: count }, (_, index) =>
    slotOf(group, opens, clientNames[(first + index * 5) % clientNames.length] ?? ''),
  );
}

function slotOf(service: ServiceOffered, at: number, client_name: string): Slot {
  return {
    start_time: timeOf(at),
    end_time: timeOf(at + service.duration),
    client_name,
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
