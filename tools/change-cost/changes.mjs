// Changes as a person would make them by hand, each with its budget. `change-cost.mjs` makes them in a copy of the tree.

/**
 * @typedef {object} Change
 * @property {string} name
 * @property {{ files: number, lines: number }} budget new files, and lines in files that exist
 * @property {Record<string, string>} [creates] path → content
 * @property {Record<string, Record<string, string>>} [inserts] path → text in a line → lines to insert after it
 * @property {string} [written] files that commands write, to be reviewed
 * @property {Record<string, string>} [needsDatabase] path → content, in place of the output of a command that needs a database
 * @property {Record<string, string>} [shows] generated file → text that it contains after the change
 * @property {string[]} specs that run with the change
 */

const expenses = 'libs/contracts/src/finance/expenses.ts';
const errorCatalog = 'libs/core/src/error-catalog.ts';
/** The row after which codes are added. */
const codeBefore = 'PM400: {';
const aggregates = 'libs/contracts/src/aggregates.ts';

const room = `import { column, resource } from '@practice/resource';

export const rooms = resource({
  name: 'rooms',
  service: 'scheduling',
  aggregate: 'room',
  description: 'Rooms of the practice.',
  columns: { name: column.text({ required: true, maxLength: 320 }), floor: column.integer({}) },
  events: { RoomAdded: 'created', RoomChanged: 'others', RoomRemoved: 'deleted' },
});
`;

const stock = `import { column, resource } from '@practice/resource';

export const supplies = resource({
  name: 'supplies',
  service: 'stock',
  aggregate: 'supply',
  description: 'Materials in stock.',
  columns: { name: column.text({ required: true, maxLength: 320 }) },
  events: { SupplyAdded: 'created', SupplyChanged: 'others', SupplyRemoved: 'deleted' },
});
`;

const marks = `-- Marks of subscribers. Only the relay uses the table.
CREATE TABLE "\${schema}".marks (
  id uuid NOT NULL,
  CONSTRAINT marks_pkey PRIMARY KEY (id)
);

GRANT SELECT, INSERT ON "\${schema}".marks TO "\${schema}_relay";
`;

const policy = `import { appointments, expenses } from '@practice/contracts';
import { policy } from '@practice/resource';

/** Marks the expenses of a day as checked when an appointment of that day is completed. */
export const checkExpensesWhenAppointmentsComplete = policy({
  when: appointments,
  reads: ['date', 'status'],
  since: 'beginning',
  acts: expenses,

  concerns: ({ after }) => (after?.status === 'completed' ? { column: 'date', values: [after.date] } : null),

  react: (_, records) =>
    records.map(({ id }) => ({ id, command: { kind: 'change', changes: { category: 'checked' } } })),
});
`;

const definition = `import { column, defineFunction, returns } from '@practice/resource';

export const expenseVendors = defineFunction({
  name: 'expense_vendors',
  service: 'finance',
  description: 'The vendors of a year, the most frequent first.',
  arguments: { year: column.integer({ required: true, min: 1900, max: 2200 }) },
  returns: returns.rows({ vendor: column.text({ required: true }), expenses: column.integer({ required: true }) }),
  effect: 'reads',
  roles: ['owner', 'billing'],
});
`;

const handler = `import { expenseVendors } from '@practice/contracts';
import type { ArgumentsOf } from '@practice/resource';
import { TenantDatabase } from '@practice/storage';
import { Handles } from '@practice/write';
import type { FunctionCall, FunctionHandler } from '@practice/write';

@Handles(expenseVendors)
export class ExpenseVendors implements FunctionHandler<typeof expenseVendors> {
  constructor(private readonly database: TenantDatabase) {}

  async call({ year }: ArgumentsOf<typeof expenseVendors>, { caller }: FunctionCall) {
    const { therapistId, practiceRole: role } = caller;
    const rows = await this.database.reads.run({ therapistId, role }, {
      text: \`SELECT vendor, count(*) FROM finance.expenses WHERE therapist_id = $1 AND vendor IS NOT NULL
        AND extract(year FROM date) = $2::integer GROUP BY vendor ORDER BY 2 DESC, 1\`,
      values: [therapistId, String(year)],
    });
    return rows.map(([vendor, expenses]) => ({ vendor: vendor ?? '', expenses: Number(expenses) }));
  }
}
`;

const decidingDefinition = `import { column, defineFunction, returns } from '@practice/resource';
import { expenses } from '../expenses.js';

const { id, category } = expenses.columns;

export const fileExpense = defineFunction({
  name: 'file_expense',
  service: 'finance',
  description: 'Gives an expense another category.',
  arguments: { expense_id: column.uuid({ required: true }), category: column.text({ required: true, maxLength: 320 }) },
  returns: returns.object({ id, category }),
  effect: 'writes',
  roles: ['owner', 'billing'],
});
`;

const decidingHandler = `import { expenses, fileExpense } from '@practice/contracts';
import { dependent, type ArgumentsOf, type ResultOf } from '@practice/resource';
import { decideDependents, Handles } from '@practice/write';
import type { DecidingCall, DecidingHandler, FunctionDecision, Resumable } from '@practice/write';

type Call = typeof fileExpense;

@Handles(fileExpense)
export class FileExpense implements DecidingHandler<Call> {
  *decide(
    { expense_id: id, category }: ArgumentsOf<Call>,
    { view, decision, caller: by }: DecidingCall,
  ): Resumable<FunctionDecision<ResultOf<Call>>> {
    const dependents = [dependent(expenses, id, { kind: 'change', changes: { category } })];
    const entries = yield* decideDependents(view, decision, { by, dependents });
    return entries.length > 0
      ? { kind: 'unknown records', entries }
      : { kind: 'decided', result: { id, category } };
  }
}
`;

/**
 * The change that adds a function: two files, and a line for each of them.
 * @param {string} name
 * @param {string} ofDefinition content of the file with its definition
 * @param {string} ofHandler content of the file with its handler
 * @returns {Omit<Change, 'name'>}
 */
function functionOfFinance(name, ofDefinition, ofHandler) {
  const file = name.replaceAll('_', '-');
  return {
    budget: { files: 2, lines: 2 },
    creates: {
      [`libs/contracts/src/finance/functions/${file}.ts`]: ofDefinition,
      [`apps/finance/src/functions/${file}.ts`]: ofHandler,
    },
    inserts: {
      'libs/contracts/src/functions.ts': {
        'One line for each function': `\nexport * from './finance/functions/${file}.js';\n`,
      },
      'apps/finance/src/rules.ts': {
        'Others follow from their': `export * from './functions/${file}.js';\n`,
      },
    },
    written: 'docs, OpenAPI, types for clients',
    shows: {
      'docs/functions.md': `## ${name}`,
      'libs/client-types/src/database.ts': `${name}: {`,
    },
    specs: ['libs/contracts/', 'libs/describe/'],
  };
}

/** @type {(read: (path: string) => string) => Change[]} */
export const changes = (read) => [
  {
    name: 'column on appointments',
    budget: { files: 0, lines: 1 },
    inserts: {
      'libs/contracts/src/scheduling/appointments.ts': {
        'notes: column.text({': '    room: column.text({ maxLength: 320 }),\n',
      },
    },
    written: 'migration, catalog snapshot, docs, AsyncAPI, types for clients',
    shows: { 'libs/client-types/src/database.ts': 'room: string | null' },
    specs: ['libs/contracts/', 'libs/describe/', 'apps/scheduling/src/appointments/'],
  },
  {
    name: 'resource without rules',
    budget: { files: 1, lines: 1 },
    creates: { 'libs/contracts/src/scheduling/rooms.ts': room },
    inserts: {
      [aggregates]: {
        "export * from './scheduling/business-hours.js';": "export * from './scheduling/rooms.js';\n",
      },
    },
    written: 'migration, catalog snapshot, docs, AsyncAPI, types for clients',
    shows: { 'docs/resources.md': 'RoomRestored' },
    specs: ['libs/contracts/', 'libs/resource/', 'libs/bus/', 'libs/write/src/undo/'],
  },
  {
    name: 'rule about one record',
    budget: { files: 0, lines: 8 },
    inserts: {
      'apps/clients/src/clients/client.ts': {
        "case 'change':":
          "        if (state?.status === 'archived' && command.changes.name !== undefined)\n" +
          "          reject(problemFor('PM001', { message: 'an archived client cannot be renamed' }));\n",
        "import { clients } from '@practice/contracts';":
          "import { problemFor, reject } from '@practice/core';\n",
      },
      'apps/clients/src/clients/client.spec.ts': {
        "describe('a client', () => {":
          "  it('cannot be renamed while it is archived', () => {\n" +
          "    given(registered({ status: 'archived' })).when(change({ name: 'B' })).thenRejects('PM001');\n" +
          '  });\n\n',
      },
    },
    specs: ['apps/clients/'],
  },
  {
    name: 'error code',
    budget: { files: 0, lines: 2 },
    inserts: {
      [errorCatalog]: {
        [codeBefore]:
          "  PM019: { status: 409, message: 'the practice has no free place', occurs: 'memberships' },\n",
      },
      'apps/identity/src/practices/membership.ts': {
        "export const lastOwner: Problem = problemFor('PM009');":
          "export const noPlace: Problem = problemFor('PM019');\n",
      },
    },
    written: 'docs, OpenAPI',
    shows: { 'docs/api/errors.md': '`PM019`' },
    specs: ['libs/core/', 'libs/describe/', 'tools/checks/src/docs/error-codes.spec.ts'],
  },
  {
    name: 'rule with a new code',
    budget: { files: 0, lines: 5 },
    inserts: {
      [errorCatalog]: {
        [codeBefore]:
          "  PM090: { status: 409, message: 'a webhook may not be forbidden', occurs: 'webhooks' },\n",
      },
      'apps/webhooks/src/webhook/webhook.ts': {
        'function created(record: Webhook':
          "  if (record.description === 'forbidden') reject(problemFor('PM090'));\n",
      },
      'apps/webhooks/src/webhook/webhook.spec.ts': {
        'const given = specOf(webhookRules({ allowsLoopback: false':
          "\n  it('may not be forbidden', () => {\n" +
          "    given().when(create({ description: 'forbidden' })).thenRejects('PM090');\n" +
          '  });\n',
      },
    },
    written: 'docs, OpenAPI',
    shows: { 'docs/api/errors.md': '`PM090`' },
    specs: ['apps/webhooks/src/webhook/webhook.spec.ts', 'tools/checks/src/docs/error-codes.spec.ts'],
  },
  {
    name: 'column that a restricted role may see',
    budget: { files: 0, lines: 1 },
    inserts: { 'libs/contracts/src/scheduling/appointments.ts': { 'shows: [': "        'notes',\n" } },
    written: 'catalog snapshot, docs',
    specs: ['libs/contracts/', 'libs/describe/'],
  },
  {
    name: 'platform log table',
    budget: { files: 1, lines: 0 },
    creates: { 'libs/log/migrations/1895500000000-add-marks.sql': marks },
    specs: ['libs/storage/src/schema/'],
  },
  {
    name: 'setting',
    budget: { files: 0, lines: 1 },
    inserts: {
      'libs/settings/src/settings.ts': {
        '  MAX_IN_FLIGHT: ':
          "  MAX_WAITING: readBy(row(whole(1, 100_000), '512', 'Requests of one practice that wait.'), 'gateway'),\n",
      },
    },
    written: 'README.md, docker-compose.yml',
    shows: { 'README.md': '`MAX_WAITING`', 'docker-compose.yml': '- MAX_WAITING' },
    specs: ['libs/settings/', 'tools/generate/src/compose.spec.ts'],
  },
  {
    name: 'filter operator',
    budget: { files: 1, lines: 1 },
    creates: {
      'libs/query/golden/differs.sql': read('libs/query/golden/neq.sql')
        .replaceAll('neq', 'differs')
        .replaceAll('<>', '!='),
    },
    inserts: { 'libs/query/src/operators.ts': { "['neq', ": "  ['differs', 'equality', '!=', 'value'],\n" } },
    written: 'OpenAPI',
    shows: { 'docs/api/reading.md': 'differs' },
    specs: ['libs/query/src/compile/', 'libs/query/src/parse/', 'libs/query/src/plan/', 'libs/describe/'],
  },
  {
    name: 'event type changed',
    budget: { files: 0, lines: 5 },
    inserts: {
      [expenses]: {
        "ExpenseRecorded: 'created',":
          "    ExpenseCorrected: {\n      shape: 'others',\n      version: 2,\n" +
          '      upcast: { 1: ({ kind, ...data }: { kind?: string }) => (kind === undefined ? data : { ...data, category: kind }) },\n    },\n',
      },
    },
    removes: { [expenses]: ["ExpenseCorrected: 'others',"] },
    written: 'AsyncAPI',
    shows: { 'docs/asyncapi.json': 'ExpenseCorrected.v2' },
    specs: ['libs/contracts/', 'libs/bus/'],
  },
  {
    name: 'policy',
    budget: { files: 1, lines: 1 },
    creates: { 'apps/finance/src/policies/check-expenses-when-appointments-complete.ts': policy },
    inserts: {
      'apps/finance/src/rules.ts': {
        'Others follow from their definitions.':
          "export * from './policies/check-expenses-when-appointments-complete.js';\n",
      },
    },
    written: 'migration (the mirror)',
    specs: ['libs/contracts/'],
  },
  { name: 'function', ...functionOfFinance('expense_vendors', definition, handler) },
  {
    name: 'function that decides about records',
    ...functionOfFinance('file_expense', decidingDefinition, decidingHandler),
  },
  {
    name: 'service',
    budget: { files: 1, lines: 1 },
    creates: { 'libs/contracts/src/stock/supplies.ts': stock },
    inserts: {
      [aggregates]: {
        "export * from './scheduling/service-menu.js';": "export * from './stock/supplies.js';\n",
      },
    },
    written:
      'its app, migration, docker-compose.yml, docs, AsyncAPI, types for clients; roles, users and permissions at startup',
    needsDatabase: { 'apps/stock/migrations/1895500000000-initial.sql': '-- By npm run migration.\n' },
    shows: { 'apps/stock/src/main.ts': 'stock', 'docker-compose.yml': 'stock-secrets' },
    specs: ['tools/generate/src/compose.spec.ts', 'tools/checks/src/docs/packages.spec.ts'],
  },
];
