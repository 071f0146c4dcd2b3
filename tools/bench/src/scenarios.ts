// The scenarios as lists of requests, valid at the moment when they are made.

import { createRandom } from '@practice/start';
import { booking, dayOf } from './calendar.js';
import type { HttpRequest } from './load/protocol.js';
import { mixOrder, mixReads, mixWrites } from './mix.js';
import { LIST_DAYS, reads, type Read } from './reads.js';
import type { Asking } from './requests.js';
import { PER_DAY, type Scenario } from './scenario.js';
import { familyNames, LINKED_DAYS, linkedDay } from './seed/records.js';
import type { Practice, SeededAppointment } from './seed/seed.js';
import type { Sizes } from './sizes.js';

export interface RequestsInput {
  readonly practices: readonly Practice[];
  readonly sizes: Sizes;
  /** From this day on (milliseconds since the epoch), only these requests book. */
  readonly freeFrom: number;
}

const DIFFERENT_READS = 8_192;
/** Changes of status, which are later undone: more than are in flight at a time. */
const DIFFERENT_CHANGES = 1_024;

/** Makes the requests of one side. No appointment is booked or changed twice. */
export function createRequests(asking: Asking, input: RequestsInput) {
  const { practices } = input;
  const book = bookings(asking, input);
  const nextScheduled = scheduledOf(practices);
  const makers = readers(asking, input);
  /** Changes all chosen appointments from scheduled to confirmed, and then all of them back. */
  const changes = (count: number): HttpRequest[] => {
    const chosen = times(count, nextScheduled);
    return ['confirmed', 'scheduled'].flatMap((status) =>
      chosen.map(({ practice, id }) => asking.changeStatus(practice, { id, status })),
    );
  };
  const mixed = (count: number): HttpRequest[] => {
    let turn = 0;
    let thereAndBack: HttpRequest[] = [];
    const change = (): HttpRequest => {
      if (thereAndBack.length === 0) thereAndBack = changes(DIFFERENT_CHANGES);
      return thereAndBack.shift() as HttpRequest;
    };
    const all = { ...makers, book: book.anyone, change };
    return times(count, () => all[mixOrder[turn++ % mixOrder.length] as (typeof mixOrder)[number]]());
  };
  return {
    /** @param count number of requests; a scenario that repeats its requests may return fewer */
    of: (scenario: Scenario, count: number): HttpRequest[] => {
      if (scenario === 'change') return changes(DIFFERENT_CHANGES);
      if (scenario === 'mixed') return mixed(count);
      if (scenario === 'book') return times(count, book.anyone);
      return scenario === 'hot'
        ? times(count, book.hot)
        : times(Math.min(count, DIFFERENT_READS), makers[scenario]);
    },
  };
}

export type Requests = ReturnType<typeof createRequests>;

function readers(asking: Asking, { practices, sizes }: RequestsInput) {
  const random = createRandom(practices.length);
  const oneOf = <T>(items: readonly T[]): T => items[random(items.length)] as T;
  const days = Math.floor(sizes.appointmentsPerPractice / PER_DAY);
  const recorded = practices.filter(({ regulars }) => regulars.length > 0);
  const reader = (of: readonly Practice[], readFor: (practice: Practice) => Read) => (): HttpRequest => {
    const practice = oneOf(of);
    return asking.read(practice, readFor(practice));
  };
  const linked = (): string => linkedDay(random(LINKED_DAYS));
  return {
    day: reader(practices, ({ begins }) => reads.day(dayOf(begins, random(days)))),
    list: reader(practices, ({ begins }) =>
      reads.list(Date.parse(dayOf(begins, random(days - LIST_DAYS + 1)))),
    ),
    search: reader(recorded, () => reads.search(oneOf(familyNames))),
    notes: reader(recorded, ({ regulars }) => reads.notes(oneOf(regulars))),
    expenses: reader(recorded, reads.expenses),
    within: reader(recorded, () => reads.within(linked())),
    across: reader(recorded, () => reads.across(linked())),
    count: reader(recorded, reads.count),
    csv: reader(recorded, reads.csv),
    ...mixReads((readFor) => reader(recorded, readFor)),
    ...mixWrites((resource, rowFor) => () => {
      const practice = oneOf(recorded);
      return asking.post(practice, resource, rowFor(practice.regulars.at(-1) as string));
    }),
  };
}

/** Bookings of any practice, and of one that books all the time. */
function bookings(
  asking: Asking,
  { practices, freeFrom }: RequestsInput,
): Record<'anyone' | 'hot', () => HttpRequest> {
  const random = createRandom(practices.length);
  const booked = new Map<Practice, number>();
  const bookingOf = (practice: Practice): HttpRequest => {
    const index = booked.get(practice) ?? 0;
    booked.set(practice, index + 1);
    return asking.post(practice, 'appointments', booking(freeFrom, index, 'scheduled'));
  };
  return {
    anyone: () => bookingOf(practices[random(practices.length)] as Practice),
    hot: () => bookingOf(practices.at(-1) as Practice),
  };
}

/** Scheduled appointments, one of each practice in turn. A practice repeats an appointment only after all of its others. */
function scheduledOf(practices: readonly Practice[]): () => { practice: Practice; id: string } {
  const scheduled = practices.map((practice) => ({
    practice,
    left: practice.appointments.filter(({ status }) => status === 'scheduled'),
  }));
  let turn = 0;
  return () => {
    const { practice, left } = scheduled[turn % scheduled.length] as (typeof scheduled)[number];
    const round = Math.floor(turn++ / scheduled.length);
    return { practice, id: (left[round % left.length] as SeededAppointment).id };
  };
}

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);
