// The scenarios as pgbench scripts. Its variables are parameters of prepared statements; values that it cannot
// do itself (ids, days, the JSON of an event) Postgres does beside the statement, at a cost that only lowers its result.

import { dayOf, SEED_BEGINS } from '../calendar.js';
import type { AskedAlone } from '../scenario.js';
import { familyNames } from '../seed/records.js';
import type { Practice } from '../seed/seed.js';
import { EXPENSE_ROWS, NOTE_ROWS } from '../sizes.js';
import { BASELINE } from './schema.js';
import * as sql from './sql.js';
import { appointmentJson, eventJson } from './templates.js';

/** A scenario's scripts, each about another practice: the service's statements, and for writes one plain statement. */
export interface Scripts {
  readonly same: readonly string[];
  readonly plain?: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

/** pgbench takes 128 scripts at most. */
const MAX_SCRIPTS = 100;
/** Apart by more than one run can book: days. */
const DAYS_PER_RUN = 100_000;
const DAYS_PER_CLIENT = 2_000;

/** @param run a number of its own for each run, so that none books where another one has */
export function scriptsOf(scenario: AskedAlone, practices: readonly Practice[], run: number): Scripts {
  const isOfRecords = scenario === 'search' || scenario === 'notes' || scenario === 'expenses';
  const some = practices.filter(({ regulars }) => !isOfRecords || regulars.length > 0).slice(0, MAX_SCRIPTS);
  const variables = Object.fromEntries(
    some.flatMap(({ id, appointments, regulars }, index) => [
      [`p${index}`, id],
      [`i${index}`, appointments[0]?.id ?? ''],
      // pgbench knows no empty value.
      [`c${index}`, regulars[0] ?? id],
    ]),
  );
  const { same, plain, ...own } = makers[scenario];
  const each = (script: (index: number) => string): string[] => some.map((_, index) => script(index));
  return {
    same: each(same),
    ...(plain && { plain: each(plain) }),
    variables: { ...variables, ...own.variables, begins: String(run * DAYS_PER_RUN) },
  };
}

interface Maker {
  readonly same: (index: number) => string;
  readonly plain?: (index: number) => string;
  readonly variables: Readonly<Record<string, string>>;
}

const firstDay = dayOf(SEED_BEGINS, 0);
const eventSql = (id: string, version: string, more = ''): string =>
  `replace(replace(replace(${more || ':event'}, '@position', :next), '@id', ${id}), '@version', ${version})`;

const makers: Record<AskedAlone, Maker> = {
  day: {
    same: (index) => `${filled(sql.reads.day.text, [`:p${index}`, ':day', ':limit', ':offset'])};\n`,
    variables: { day: firstDay, limit: '1000', offset: '0' },
  },
  list: {
    same: (index) =>
      `${filled(sql.reads.list.text, [`:p${index}`, ':statuses', ':day', ':last', ':limit', ':offset'])};\n`,
    variables: {
      statuses: '{"scheduled","confirmed"}',
      day: firstDay,
      last: dayOf(SEED_BEGINS, 11),
      limit: '50',
      offset: '0',
    },
  },
  book: {
    same: (index) => loggedBooking(`:p${index}`),
    plain: (index) => plainBooking(`:p${index}`),
    variables: {
      n: '0',
      event: eventJson('AppointmentScheduled', appointmentJson('@day', '@hour')),
      record: appointmentJson('@day', '@hour', '1'),
      json: appointmentJson(firstDay, '08'),
      client: 'Client 1',
      notes: 'Comes by tram; prefers the second chair by the window.',
    },
  },
  search: {
    same: (index) => `${filled(sql.reads.search.text, [`:p${index}`, ':pattern', ':limit', ':offset'])};\n`,
    variables: { pattern: `%${familyNames[0]}%`, limit: '1000', offset: '0' },
  },
  notes: {
    same: (index) => `${filled(sql.reads.notes.text, [`:p${index}`, `:c${index}`, ':limit', ':offset'])};\n`,
    variables: { limit: String(NOTE_ROWS), offset: '0' },
  },
  expenses: {
    same: (index) => `${filled(sql.reads.expenses.text, [`:p${index}`, ':limit', ':offset'])};\n`,
    variables: { limit: String(EXPENSE_ROWS), offset: '0' },
  },
  change: {
    same: (index) => loggedChange(`:p${index}`, `:i${index}`),
    plain: (index) =>
      `${filled(sql.updateText(BASELINE), [`:p${index}`, `:i${index}`, ':status', 'now()', ':json'])};\n`,
    variables: {
      status: 'confirmed',
      event: eventJson('AppointmentConfirmed', '{"status":"confirmed"}'),
      record: appointmentJson(firstDay, '08', '@version'),
      json: appointmentJson(firstDay, '08'),
      bound: '1001',
    },
  },
};

const dayNumber = `date '2100-01-01' + :begins::int + :client_id::int * ${DAYS_PER_CLIENT} + :n::int / 8`;
const hour = '8 + :n::int % 8';

function loggedBooking(practice: string): string {
  const found = [
    'position + 1 AS next',
    'gen_random_uuid() AS id',
    `to_char(${dayNumber}, 'YYYY-MM-DD') AS day`,
    `to_char(${dayNumber}, '{YYYY-MM-DD}') AS days`,
    `lpad((${hour})::text, 2, '0') AS hour`,
  ].join(', ');
  const placed = (json: string): string => `replace(replace(${json}, '@day', :day), '@hour', :hour)`;
  return [
    '\\set n :n + 1',
    'BEGIN;',
    `${filled(sql.lockText(BASELINE).replace('position', found), [practice])} \\gset`,
    `${filled(sql.overlapsText(BASELINE), [practice, ':days'])};`,
    `${filled(sql.appendText(BASELINE), [practice, eventSql(':id', "'1'", placed(':event')), ':next'])};`,
    `${filled(sql.upsertText(BASELINE), [practice, `replace(${placed(':record')}, '@id', :id)`])};`,
    'COMMIT;\n',
  ].join('\n');
}

function plainBooking(practice: string): string {
  const times = [`make_time(${hour}, 0, 0)`, `make_time(${hour}, 50, 0)`];
  const values = [practice, 'gen_random_uuid()', dayNumber, ...times, ':client', ':notes', 'now()', ':json'];
  return `\\set n :n + 1\n${filled(sql.insertText(BASELINE), values)};\n`;
}

function loggedChange(practice: string, id: string): string {
  const version = '(:t_version::int + 1)::text';
  return [
    'BEGIN;',
    `${filled(sql.lockText(BASELINE).replace('position', 'position + 1 AS next'), [practice])} \\gset`,
    `${filled(sql.targetText(BASELINE), [practice, id, ':bound'])} \\gset t_`,
    `${filled(sql.appendText(BASELINE), [practice, eventSql(id, version), ':next'])};`,
    `${filled(sql.upsertText(BASELINE), [practice, eventSql(id, version, ':record')])};`,
    'COMMIT;\n',
  ].join('\n');
}

/** The statement with these expressions for `$1`, `$2`, … */
const filled = (text: string, expressions: readonly string[]): string =>
  text.replace(/\$(\d)/g, (_, number: string) => expressions[Number(number) - 1] ?? '');
