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
  /** The `turn`-th request; bookings and changes differ from each other by it. */
  readonly request: (asking: Asking, practice: Growing, turn: number) => HttpRequest;
  /** In the values, `@position` stands for the practice's next position in the log. */
  readonly statements: (practice: Growing) => readonly Statement[];
}

/** Days from here on are free, whatever has been seeded. */
const FREE_BEGINS = Date.UTC(2070, 0, 6);
const SCHEMA = 'scheduling';
const NEW = '018f0000-0000-7000-8000-00000000000b';

const readCase = (title: string, schema: Case['schema'], readFor: (practice: Growing) => Read): Case => ({
  title,
  schema,
  request: (asking, practice) => asking.read(practice, readFor(practice)),
  statements: (practice) => [sql.statementOf(practice.id, readFor(practice))],
});

export const cases: readonly Case[] = [
  readCase('one day, 8 rows', SCHEMA, (practice) => reads.day(dayOf(SEED_BEGINS, middleDay(practice)))),
  readCase('filtered list', SCHEMA, (practice) => reads.list(middleDay(practice))),
  readCase('clients by ilike', 'clients', () => reads.search(familyNames[0] as string)),
  {
    title: 'book (POST)',
    schema: SCHEMA,
    request: (asking, practice, turn) =>
      asking.insert(practice, 'appointments', booking(FREE_BEGINS, turn, 'scheduled')),
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
    request: (asking, practice, turn) =>
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
