import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually, scratchSchema, type ScratchSchema } from '@practice/testing';
import type { Client } from 'pg';
import { allMigrations } from '@practice/storage';
import { runMigrations } from './migrate.js';

const folder = join(import.meta.dirname, '../../../../apps/finance/migrations');
/** The folder of a later version, which has more migrations. */
const later = mkdtempSync(join(tmpdir(), 'migrations-'));
let database: ScratchSchema;
let client: Client;

beforeAll(async () => {
  cpSync(folder, later, { recursive: true });
  database = await scratchSchema('finance');
  client = await database.connect();
});
afterAll(async () => {
  await database.drop();
  rmSync(later, { recursive: true });
});

it('runs each migration in only one of several processes, while the others wait for it', async () => {
  const run = { folder, url: database.url('finance_owner') };

  await Promise.all([1, 2, 3].map(() => runMigrations({ service: 'finance' }, run)));

  const { rows } = await client.query<{ name: string }>('SELECT name FROM finance.migrations ORDER BY id');
  expect(rows.map(({ name }) => name)).toEqual(
    allMigrations({ service: 'finance' }, folder).map(({ name }) => name),
  );
});

it('builds the index of a migration that has no transaction while other processes wait', async () => {
  const index = 'CREATE INDEX CONCURRENTLY expenses_vendor_idx ON finance.expenses (therapist_id, vendor)';
  const drop = 'DROP INDEX CONCURRENTLY IF EXISTS finance.expenses_vendor_idx';
  writeFileSync(join(later, '4000000000000-index.sql'), `-- transaction: none\n${drop};\n\n${index};\n`);
  const run = { folder: later, url: database.url('finance_owner') };

  await Promise.all([1, 2, 3].map(() => runMigrations({ service: 'finance' }, run)));

  const { rows } = await client.query(
    `SELECT indisvalid FROM pg_index WHERE indexrelid = 'finance.expenses_vendor_idx'::regclass`,
  );
  expect(rows).toEqual([{ indisvalid: true }]);
});

it.each([
  ['receipt', 'ALTER TABLE finance.expenses ADD COLUMN receipt text;\n'],
  // An attempt leaves an index that is not valid.
  [
    'expenses_date_idx',
    `-- transaction: none
DROP INDEX CONCURRENTLY IF EXISTS finance.expenses_date_idx;

CREATE INDEX CONCURRENTLY expenses_date_idx ON finance.expenses (therapist_id, date);
`,
  ],
])('runs a migration again whose table is locked for longer than it waits: %s', async (name, text) => {
  const number = readdirSync(later).length;
  writeFileSync(join(later, `${4_000_000_000_001 + number}-${name.replaceAll('_', '-')}.sql`), text);
  await client.query('BEGIN; LOCK TABLE finance.expenses IN ROW EXCLUSIVE MODE');
  const migrated = runMigrations(
    { service: 'finance' },
    { folder: later, url: database.url('finance_owner') },
  );
  // Not by pg_stat_activity: a transaction sees only the connections of its first look at it.
  const waiting = `SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`;
  const isWaiting = async (): Promise<boolean> => (await client.query(waiting)).rowCount === 1;
  await eventually('the migration waits for the lock', isWaiting);
  await eventually('it has given up', async () => !(await isWaiting()));
  await client.query('COMMIT');
  await migrated;

  const { rows } = await client.query(
    `SELECT FROM pg_attribute JOIN pg_class ON attrelid = pg_class.oid LEFT JOIN pg_index ON indexrelid = attrelid
     WHERE relnamespace = 'finance'::regnamespace AND $1 IN (attname, relname) AND indisvalid IS NOT FALSE`,
    [name],
  );
  expect(rows.length).toBeGreaterThan(0);
});
