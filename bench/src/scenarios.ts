// The scenarios as lists of requests, valid at the moment when they are made.

import { booking, dayOf, SEED_BEGINS } from './calendar.js';
import type { HttpRequest } from './load/protocol.js';
import { createRandom } from './random.js';
import { createMix } from './mix.js';
import type { Asking } from './requests.js';
import { recordScenarios, shapeScenarios } from './scenario.js';
import type { Scenario } from './scenario.js';
import { familyNames, linkedDay } from './seed/records.js';
import type { Practice, SeededAppointment } from './seed/seed.js';
import { PER_DAY } from './sizes.js';
import type { Sizes } from './sizes.js';

/** Makes the requests of one side. No appointment is booked or changed twice. */
export interface Requests {
  /** @param count number of requests for one connection; a scenario that repeats its requests may return fewer */
  of(scenario: Scenario, count: number): HttpRequest[];
}

export interface RequestsInput {
  readonly practices: readonly Practice[];
  readonly sizes: Sizes;
  /** From this day on (milliseconds since the epoch) nothing is booked but by these requests. */
  readonly freeFrom: number;
}

const DIFFERENT_READS = 64;
/** Days that hold more than fifty appointments that take up time: three in four do. */
const LIST_DAYS = 12;

export function createRequests(asking: Asking, { practices, sizes, freeFrom }: RequestsInput): Requests {
  const random = createRandom(practices.length);
  const someone = (): Practice => practices[random(practices.length)] as Practice;
  const days = Math.floor(sizes.appointmentsPerPractice / PER_DAY);
  const booked = new Map<Practice, number>();
  const changeable = endless(practices);

  const book = (): HttpRequest => {
    const practice = someone();
    const index = booked.get(practice) ?? 0;
    booked.set(practice, index + 1);
    return asking.book(practice, booking(freeFrom, index, 'scheduled'));
  };
  const list = (): HttpRequest => {
    const first = random(days - LIST_DAYS + 1);
    return asking.list(someone(), dayOf(SEED_BEGINS, first), dayOf(SEED_BEGINS, first + LIST_DAYS - 1));
  };
  /** There and back: from scheduled to confirmed, all of them, then all of them back. */
  const changes = (): HttpRequest[] => {
    const chosen = Array.from({ length: sizes.changedPerConnection }, () => changeable());
    return ['confirmed', 'scheduled'].flatMap((status) =>
      chosen.map(({ practice, id }) => asking.changeStatus(practice, { id, status })),
    );
  };
  const day = (): HttpRequest => asking.day(someone(), dayOf(SEED_BEGINS, random(days)));
  const records = recordReads(asking, practices, random);
  const mixed = createMix({ asking, changeable, day, list, book, ...records });
  const makers: Record<Scenario, (count: number) => HttpRequest[]> = {
    day: () => times(DIFFERENT_READS, day),
    list: () => times(DIFFERENT_READS, list),
    book: (count) => times(count, book),
    change: changes,
    ...repeated(records),
    mixed: (count) => times(count, mixed()),
  };
  return { of: (scenario, count) => makers[scenario](count) };
}

/** Reads of the other services, in practices that have their records. */
function recordReads(asking: Asking, practices: readonly Practice[], random: (below: number) => number) {
  const recorded = practices.filter(({ regulars }) => regulars.length > 0);
  const oneOf = <T>(items: readonly T[]): T => items[random(items.length)] as T;
  const someoneRecorded = (): Practice => oneOf(recorded);
  return {
    someoneRecorded,
    search: (): HttpRequest => asking.search(someoneRecorded(), oneOf(familyNames)),
    notes: (): HttpRequest => {
      const practice = someoneRecorded();
      return asking.notes(practice, oneOf(practice.regulars));
    },
    expenses: (): HttpRequest => asking.expenses(someoneRecorded()),
    within: (): HttpRequest => asking.within(someoneRecorded(), linkedDay(random(DIFFERENT_READS))),
    across: (): HttpRequest => asking.across(someoneRecorded(), linkedDay(random(DIFFERENT_READS))),
    count: (): HttpRequest => asking.count(someoneRecorded()),
    csv: (): HttpRequest => asking.csv(someoneRecorded()),
  };
}

type OfRecords = (typeof recordScenarios)[number] | (typeof shapeScenarios)[number];

/** Each as many times as there are different ones. */
function repeated(records: Record<OfRecords, () => HttpRequest>): Record<OfRecords, () => HttpRequest[]> {
  const names: readonly OfRecords[] = [...recordScenarios, ...shapeScenarios];
  return Object.fromEntries(
    names.map((name) => [name, () => times(DIFFERENT_READS, records[name])]),
  ) as Record<OfRecords, () => HttpRequest[]>;
}

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

/** Appointments that are scheduled, one of each practice in turn, none twice before all were. */
function endless(practices: readonly Practice[]): () => { practice: Practice; id: string } {
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
