import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { scratchSchema, type ScratchSchema } from '@practice/testing';
import pg from 'pg';
import { allMigrations } from '@practice/storage';
import { runMigrations } from './migrate.js';

const folder = join(import.meta.dirname, '../../../../apps/finance/migrations');
let database: ScratchSchema;

beforeAll(async () => {
  database = await scratchSchema('finance');
});
afterAll(() => database.drop());

it('runs each migration in only one of several processes, while the others wait for it', async () => {
  const run = { folder, url: database.url('finance_owner') };

  await Promise.all([1, 2, 3].map(() => runMigrations({ service: 'finance' }, run)));

  const client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  const { rows } = await client.query<{ name: string }>('SELECT name FROM finance.migrations ORDER BY id');
  await client.end();
  expect(rows.map(({ name }) => name)).toEqual(
    allMigrations({ service: 'finance' }, folder).map(({ name }) => name),
  );
});

it('builds the index of a migration that has no transaction while other processes wait', async () => {
  const later = mkdtempSync(join(tmpdir(), 'migrations-'));
  cpSync(folder, later, { recursive: true });
  const index = 'CREATE INDEX CONCURRENTLY expenses_vendor_idx ON finance.expenses (therapist_id, vendor)';
  const drop = 'DROP INDEX CONCURRENTLY IF EXISTS finance.expenses_vendor_idx';
  writeFileSync(join(later, '4000000000000-index.sql'), `-- transaction: none\n${drop};\n\n${index};\n`);
  const run = { folder: later, url: database.url('finance_owner') };

  await Promise.all([1, 2, 3].map(() => runMigrations({ service: 'finance' }, run)));

  const client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  const { rows } = await client.query(
    `SELECT indisvalid FROM pg_index WHERE indexrelid = 'finance.expenses_vendor_idx'::regclass`,
  );
  await client.end();
  rmSync(later, { recursive: true });
  expect(rows).toEqual([{ indisvalid: true }]);
});
