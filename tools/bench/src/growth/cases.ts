// The requests that are measured, and the SQL statements that the services run for each.

import * as sql from '../baseline/sql.js';
import type { Statement } from '../baseline/sql.js';
import { appointmentRecord, confirmedEvent, scheduledEvent } from '../baseline/templates.js';
import { booking, dayOf, SEED_BEGINS } from '../calendar.js';
import type { HttpRequest } from '../load/protocol.js';
import { LIST_DAYS, reads } from '../reads.js';
import type { Read } from '../reads.js';
import type { Asking } from '../requests.js';
import { PER_DAY } from '../scenario.js';
import { familyNames } from '../seed/records.js';
import type { Growing } from './seed.js';

export interface Case {
  readonly title: string;
  /** The service's schema whose role runs the statements. */
  readonly schema: 'scheduling' | 'clients';
  /** A write before each request, whose Change-Id the request needs. It is not measured. */
  readonly given?: RequestOf;
  readonly request: RequestOf;
  /**
   * In the values, `@position` stands for the practice's next position in the log. An undo has none: its statements depend on
   * the rows that it has read.
   */
  readonly statements?: (practice: Growing) => readonly Statement[];
}

interface Turn {
  /** Bookings and changes differ from each other by it. */
  readonly turn: number;
  /** The write before the request has it. Empty without a write. */
  readonly changeId: string;
}

type RequestOf = (asking: Asking, practice: Growing, turn: Turn) => HttpRequest;

/** Two weeks from the first day of the seed, or from tomorrow if it is over: slots are offered for the year ahead. */
function freeSlots(): string {
  const first = Math.max(SEED_BEGINS, Date.now() + 86_400_000);
  return `rpc/free_slots?duration=50&from=${dayOf(first, 0)}&to=${dayOf(first, 13)}`;
}

/** Days from here on are free for series. A series takes an hour of one weekday of a year. */
const SERIES_BEGIN = Date.UTC(2500, 0, 4);
const WEEKS = 52;

/** Days from here on are free, whatever has been seeded. */
const FREE_BEGINS = Date.UTC(2200, 0, 6);
const SCHEMA = 'scheduling';
const NEW = '018f0000-0000-7000-8000-00000000000b';

const readCase = (title: string, schema: Case['schema'], readFor: (practice: Growing) => Read): Case => ({
  title,
  schema,
  request: (asking, practice) => asking.read(practice, readFor(practice)),
  statements: (practice) => [sql.statementOf(practice.id, readFor(practice))],
});

const book: RequestOf = (asking, practice, { turn }) =>
  asking.post(practice, 'appointments', booking(FREE_BEGINS, turn, 'scheduled'));

export const cases: readonly Case[] = [
  readCase('one day, 8 rows', SCHEMA, (practice) => reads.day(dayOf(SEED_BEGINS, middleDay(practice)))),
  readCase('the same as of before a change', SCHEMA, (practice) =>
    reads.past(dayOf(SEED_BEGINS, middleDay(practice)), practice.asOf),
  ),
  readCase('history of an appointment', SCHEMA, ({ appointments }) =>
    reads.history(appointments.at(-1)?.id ?? ''),
  ),
  readCase('filtered list', SCHEMA, (practice) => reads.list(middleDay(practice))),
  readCase('clients by ilike', 'clients', () => reads.search(familyNames[0] as string)),
  {
    title: 'book (POST)',
    schema: SCHEMA,
    request: book,
    statements: ({ id: practice }) => {
      const day = dayOf(FREE_BEGINS, -1);
      return transaction(
        { practice, id: NEW, version: '1' },
        { text: sql.overlapsText(SCHEMA), values: [practice, `{${day}}`] },
        { event: scheduledEvent(day, '08'), record: appointmentRecord(day, '08', '1') },
      );
    },
  },
  {
    title: 'change of status (PATCH)',
    schema: SCHEMA,
    request: (asking, practice, { turn }) =>
      asking.changeStatus(practice, {
        id: firstOf(practice),
        status: turn % 2 === 0 ? 'confirmed' : 'scheduled',
      }),
    statements: (growing) => {
      const [practice, id] = [growing.id, firstOf(growing)];
      // A version that no event of this appointment has.
      const version = '1000000';
      return transaction(
        { practice, id, version },
        { text: sql.targetText(SCHEMA), values: [practice, id, '1001'] },
        { event: confirmedEvent, record: appointmentRecord(dayOf(SEED_BEGINS, 0), '08', version) },
      );
    },
  },
  {
    title: 'free slots of two weeks',
    schema: SCHEMA,
    request: (asking, practice) => asking.read(practice, { name: 'slots', url: freeSlots() }),
  },
  {
    title: 'a series of 52',
    schema: SCHEMA,
    request: (asking, practice, { turn }) => {
      const day = Math.floor(turn / PER_DAY) * WEEKS * 7;
      const index = day * PER_DAY + (turn % PER_DAY);
      const { date, start_time, end_time } = booking(SERIES_BEGIN, index, 'scheduled');
      const series = { rrule: `FREQ=WEEKLY;COUNT=${WEEKS}`, date, start_time, end_time };
      return asking.post(practice, 'appointment_series', series);
    },
  },
  {
    title: 'undo of a booking',
    schema: SCHEMA,
    given: book,
    request: (asking, practice, { changeId }) => asking.post(practice, 'rpc/undo', { change_id: changeId }),
  },
];

const firstOf = ({ appointments }: Growing): string => appointments[0]?.id ?? '';

/** A day in the middle of what has been seeded, where an index is as deep as anywhere, with a list's days from there on; or the first. */
function middleDay({ appointments }: Growing): number {
  const days = Math.floor(appointments.length / PER_DAY);
  return Math.max(0, Math.min(Math.floor(days / 2), days - LIST_DAYS));
}

/** Lock, load, append, write the row. */
function transaction(
  { practice, id, version }: { practice: string; id: string; version: string },
  loading: Statement,
  { event, record }: { event: string; record: string },
): Statement[] {
  const placed = (json: string): string => json.replaceAll('@id', id).replaceAll('"@version"', version);
  return [
    { text: sql.lockText(SCHEMA), values: [practice] },
    loading,
    { text: sql.appendText(SCHEMA), values: [practice, placed(event), '@position'] },
    { text: sql.upsertText(SCHEMA), values: [practice, placed(record)] },
  ];
}
