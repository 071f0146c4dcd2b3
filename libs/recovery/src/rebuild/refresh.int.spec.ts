// A definition changes on a deployed system: it gets a new column and a new version of an event type.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { allSteps } from '@practice/core';
import { expenses } from '@practice/contracts';
import { appendAll, openPractice, type Statement } from '@practice/log';
import { column, type Resource, type Row } from '@practice/resource';
import { scratchSchema, systemMetadata, type ScratchSchema } from '@practice/testing';
import type { Client } from 'pg';
import { serviceDdl, upsertRows } from '@practice/storage';
import { rebuild } from './rebuild.js';
import { refreshReadTables } from './refresh.js';

const service = 'finance';
const released = expenses as unknown as Resource;

/** The next version of the definition. Expenses have a tag, and the vendor was called `seller` in version 1 of `ExpenseCorrected`. */
const next: Resource = {
  ...released,
  columns: { ...released.columns, tag: column.text({ default: 'none' }) },
  versions: {
    ExpenseCorrected: {
      version: 2,
      upcast: { 1: ({ seller, ...data }: { seller?: string }) => ({ ...data, vendor: seller }) },
    },
  },
};

const at = (second: number): string => `2026-05-01T08:00:0${second}+00:00`;
const practice = randomUUID();
const id = randomUUID();
const recorded: Row = {
  ...{ id, therapist_id: practice, date: '2026-05-01', amount: '12.50', category: 'rent', description: null },
  ...{ vendor: null, created_at: at(0), updated_at: at(0) },
};

let database: ScratchSchema;
let owner: Client;

beforeAll(async () => {
  database = await scratchSchema(service);
  owner = await database.connect(database.url('finance_owner'));
  for (const statement of await serviceDdl({ service }, database.url('finance_owner')))
    await owner.query(statement);
});

afterAll(() => database.drop());

const run = ({ text, values }: Statement) => owner.query(text, values as unknown[]);

async function writeAsReleased(): Promise<void> {
  const metadata = systemMetadata();
  const lifecycle = { created: ['ExpenseRecorded'], deleted: ['ExpenseDeleted'] };
  const event = { aggregate: 'expense', streamId: id, schemaVersion: 1, lifecycle, metadata };
  await run(openPractice(service, practice));
  const events = [
    { ...event, type: 'ExpenseRecorded', version: 1, data: recorded, recordedAt: at(0) },
    { ...event, type: 'ExpenseCorrected', version: 2, data: { seller: 'Ada' }, recordedAt: at(1) },
  ];
  await run(allSteps(appendAll(service, [{ therapistId: practice, position: 0, events }])));
  const row = { ...recorded, vendor: 'Ada', updated_at: at(1) };
  await run(allSteps(upsertRows(released, [{ therapistId: practice, row, version: 2 }])));
}

const stored = async () =>
  (await owner.query<{ _json: string; version: number }>('SELECT * FROM finance.expenses')).rows.map(
    (row) => ({
      ...(JSON.parse(row._json) as Row),
      version: row.version,
    }),
  );

describe('read tables of an older definition', () => {
  it('store their definition when there is nothing to fold', async () => {
    const url = database.url('finance_owner');
    expect(await refreshReadTables(service, url)).toBeNull();
    await writeAsReleased();
    expect(await refreshReadTables(service, url)).toBeNull();
  });

  it('are folded again once, with old events upcast and a new column at its default', async () => {
    const url = database.url('finance_owner');
    await owner.query('ALTER TABLE finance.expenses ADD COLUMN tag text');
    expect(await refreshReadTables(service, url, [next])).toBe(1);
    const row = {
      ...{ ...recorded, amount: 12.5, vendor: 'Ada', tag: 'none', updated_at: at(1) },
      ...{ external_id: null, metadata: null },
    };
    expect(await stored()).toEqual([{ ...row, version: 2 }]);
    expect(await refreshReadTables(service, url, [next])).toBeNull();
    const check = await rebuild({ service, url, resources: [next], check: true });
    expect(check).toMatchObject({ practices: 1, differences: [] });
  });

  it('are compared with temporary tables, so that a check leaves no table behind', async () => {
    const tables = 'SELECT count(*)::int AS count FROM pg_class WHERE relnamespace::regnamespace::text !~ $1';
    const count = async () => (await owner.query(tables, ['^(pg_|information)'])).rows;
    const before = await count();
    const url = database.url('finance_owner');
    const reports = await Promise.all(
      [1, 2].map(() => rebuild({ service, url, resources: [next], check: true })),
    );
    expect(reports.map(({ differences }) => differences)).toEqual([[], []]);
    expect(await count()).toEqual(before);
  });
});
