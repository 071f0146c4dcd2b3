// The requests that are measured, and the SQL statements that the services run for each.

import { booking, dayOf, SEED_BEGINS } from '../calendar.js';
import type { HttpRequest } from '../load/protocol.js';
import type { Asking } from '../requests.js';
import { familyNames } from '../seed/records.js';
import { LIST_ROWS, PER_DAY } from '../sizes.js';
import * as sql from '../baseline/sql.js';
import { appointmentJson, eventJson } from '../baseline/templates.js';
import type { Growing } from './seed.js';

export const cases = ['day', 'list', 'search', 'book', 'change'] as const;
export type Case = (typeof cases)[number];

/** A statement with its values; `@position` in them stands for the practice's next position in the log. */
export interface Statement {
  readonly text: string;
  readonly values: readonly string[];
}

/** Days from here on are free, whatever has been seeded. */
const FREE_BEGINS = Date.UTC(2070, 0, 6);
/** Days that a filtered list asks for. */
const LIST_DAYS = 12;
const SCHEMA = 'scheduling';

/** The `turn`-th request of a kind; bookings and changes differ from each other by it. */
export function requestFor(kind: Case, { asking, practice, turn }: Turn): HttpRequest {
  const [first, last] = listDays(practice);
  const { id } = practice.appointments[0] as { id: string };
  switch (kind) {
    case 'day':
      return asking.day(practice, first);
    case 'list':
      return asking.list(practice, first, last);
    case 'search':
      return asking.search(practice, name);
    case 'book':
      return asking.book(practice, booking(FREE_BEGINS, turn, 'scheduled'));
    case 'change':
      return asking.changeStatus(practice, { id, status: turn % 2 === 0 ? 'confirmed' : 'scheduled' });
  }
}

export interface Turn {
  readonly asking: Asking;
  readonly practice: Growing;
  readonly turn: number;
}

/** The service's schema whose role runs the statements, and the statements. */
export function statementsFor(kind: Case, practice: Growing): { schema: string; statements: Statement[] } {
  const { id } = practice;
  const [first, last] = listDays(practice);
  const read = (text: string, ...values: string[]) => [{ text, values: [id, ...values] }];
  switch (kind) {
    case 'day':
      return { schema: SCHEMA, statements: read(sql.reads.day.text, first, '1000', '0') };
    case 'list': {
      const values = ['{"scheduled","confirmed"}', first, last, String(LIST_ROWS), '0'];
      return { schema: SCHEMA, statements: read(sql.reads.list.text, ...values) };
    }
    case 'search':
      return { schema: 'clients', statements: read(sql.reads.search.text, `%${name}%`, '1000', '0') };
    case 'book':
      return { schema: SCHEMA, statements: bookingOf(id) };
    case 'change':
      return { schema: SCHEMA, statements: changeOf(id, practice.appointments[0] as { id: string }) };
  }
}

const [name] = familyNames as [string];

/** The days of a list, in the middle of what has been seeded, where an index is as deep as anywhere; or all there are. */
function listDays({ appointments }: Growing): [first: string, last: string] {
  const days = Math.floor(appointments.length / PER_DAY);
  const first = Math.max(0, Math.min(Math.floor(days / 2), days - LIST_DAYS));
  return [dayOf(SEED_BEGINS, first), dayOf(SEED_BEGINS, first + LIST_DAYS - 1)];
}

const NEW = '018f0000-0000-7000-8000-00000000000b';

function bookingOf(practice: string): Statement[] {
  const day = dayOf(FREE_BEGINS, -1);
  const about = { practice, id: NEW, version: '1' };
  return [
    { text: sql.lockText(SCHEMA), values: [practice] },
    { text: sql.overlapsText(SCHEMA), values: [practice, `{${day}}`] },
    ...storing(about, {
      event: eventJson('AppointmentScheduled', appointmentJson(day, '08')),
      record: appointmentJson(day, '08', '1'),
    }),
  ];
}

function changeOf(practice: string, { id }: { id: string }): Statement[] {
  return [
    { text: sql.lockText(SCHEMA), values: [practice] },
    { text: sql.targetText(SCHEMA), values: [practice, id, '1001'] },
    ...storing(
      // A version that no event of this appointment has.
      { practice, id, version: '1000000' },
      {
        event: eventJson('AppointmentConfirmed', '{"status":"confirmed"}'),
        record: appointmentJson(dayOf(SEED_BEGINS, 0), '08', '1000000'),
      },
    ),
  ];
}

function storing(
  { practice, id, version }: { practice: string; id: string; version: string },
  { event, record }: { event: string; record: string },
): Statement[] {
  const placed = (json: string): string => json.replaceAll('@id', id).replaceAll('"@version"', version);
  return [
    { text: sql.appendText(SCHEMA), values: [practice, placed(event), '@position'] },
    { text: sql.upsertText(SCHEMA), values: [practice, placed(record)] },
  ];
}
