// The scenarios as pgbench scripts. Its variables are parameters of prepared statements; values that it cannot
// do itself (ids, days, the JSON of an event) Postgres does beside the statement, at a cost that only lowers its result.

import { dayOf, exampleBooking, SEED_BEGINS } from '../calendar.js';
import { examples } from '../reads.js';
import { familyNames } from '../seed/records.js';
import type { Practice } from '../seed/seed.js';
import { BASELINE } from './copy.js';
import * as sql from './sql.js';
import { appointmentJson, appointmentRecord, confirmedEvent, scheduledEvent } from './templates.js';

/** Scripts, each about another practice. */
export interface Scripts {
  readonly scripts: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

/** pgbench takes 128 scripts at most. */
const MAX_SCRIPTS = 100;
/** Apart by more than one run can book: days. */
const DAYS_PER_RUN = 100_000;
const DAYS_PER_CLIENT = 2_000;

/** The statement of a read. */
export function readScripts(
  scenario: 'day' | 'list' | 'search' | 'notes' | 'expenses',
  practices: readonly Practice[],
): Scripts {
  const isOfRecords = scenario !== 'day' && scenario !== 'list';
  const some = practices.filter(({ regulars }) => !isOfRecords || regulars.length > 0).slice(0, MAX_SCRIPTS);
  const statements = some.map(({ id, regulars }) =>
    sql.statementOf(id, examples(familyNames[0] as string, regulars[0] ?? id)[scenario]),
  );
  const variable = (script: number, index: number): string => `v${script}_${index}`;
  return {
    scripts: statements.map(({ text, values }, script) =>
      filled(
        text,
        values.map((_, index) => `:${variable(script, index)}`),
      ),
    ),
    variables: Object.fromEntries(
      statements.flatMap(({ values }, script) =>
        values.map((value, index) => [variable(script, index), value]),
      ),
    ),
  };
}

/**
 * A write in one of its ways: the service's transaction, or one plain statement.
 * @param run a number of its own for each run, so that none books where another one has
 */
export function writeScripts(
  { scenario, way }: { scenario: 'book' | 'change'; way: 'bare' | 'plain' },
  practices: readonly Practice[],
  run: number,
): Scripts {
  const some = practices.slice(0, MAX_SCRIPTS);
  const { script, variables } = writes[scenario];
  return {
    scripts: some.map((_, index) => script[way](`:p${index}`, `:i${index}`)),
    variables: {
      ...Object.fromEntries(
        some.flatMap(({ id, appointments }, index) => [
          [`p${index}`, id],
          [`i${index}`, appointments[0]?.id ?? ''],
        ]),
      ),
      ...variables,
      json: appointmentJson(firstDay, '08'),
      begins: String(run * DAYS_PER_RUN),
    },
  };
}

const firstDay = dayOf(SEED_BEGINS, 0);
const dayNumber = `date '2100-01-01' + :begins::int + :client_id::int * ${DAYS_PER_CLIENT} + :n::int / 8`;
const hour = '8 + :n::int % 8';

const writes = {
  book: {
    script: { bare: loggedBooking, plain: plainBooking },
    variables: {
      n: '0',
      event: scheduledEvent('@day', '@hour'),
      record: appointmentRecord('@day', '@hour', '1'),
      client: exampleBooking.client_name,
      notes: exampleBooking.notes,
    },
  },
  change: {
    script: { bare: loggedChange, plain: plainChange },
    variables: {
      status: 'confirmed',
      event: confirmedEvent,
      record: appointmentRecord(firstDay, '08', '@version'),
      bound: '1001',
    },
  },
};

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
    '\\set n :n + 1\nBEGIN;\n',
    filled(sql.lockText(BASELINE).replace('position', found), [practice], ' \\gset'),
    filled(sql.overlapsText(BASELINE), [practice, ':days']),
    filled(sql.appendText(BASELINE), [practice, eventSql(':id', "'1'", placed(':event')), ':next']),
    filled(sql.upsertText(BASELINE), [practice, `replace(${placed(':record')}, '@id', :id)`]),
    'COMMIT;\n',
  ].join('');
}

function plainBooking(practice: string): string {
  const times = [`make_time(${hour}, 0, 0)`, `make_time(${hour}, 50, 0)`];
  const values = [practice, 'gen_random_uuid()', dayNumber, ...times, ':client', ':notes', 'now()', ':json'];
  return `\\set n :n + 1\n${filled(sql.insertText(BASELINE), values)}`;
}

function loggedChange(practice: string, id: string): string {
  const version = '(:t_version::int + 1)::text';
  return [
    'BEGIN;\n',
    filled(sql.lockText(BASELINE).replace('position', 'position + 1 AS next'), [practice], ' \\gset'),
    filled(sql.targetText(BASELINE), [practice, id, ':bound'], ' \\gset t_'),
    filled(sql.appendText(BASELINE), [practice, eventSql(id, version, ':event'), ':next']),
    filled(sql.upsertText(BASELINE), [practice, eventSql(id, version, ':record')]),
    'COMMIT;\n',
  ].join('');
}

function plainChange(practice: string, id: string): string {
  return filled(sql.updateText(BASELINE), [practice, id, ':status', 'now()', ':json']);
}

const eventSql = (id: string, version: string, json: string): string =>
  `replace(replace(replace(${json}, '@position', :next), '@id', ${id}), '@version', ${version})`;

/** The statement with these expressions for `$1`, `$2`, … */
const filled = (text: string, expressions: readonly string[], end = ';'): string =>
  text.replace(/\$(\d+)/g, (_, number: string) => expressions[Number(number) - 1] ?? '') + `${end}\n`;
