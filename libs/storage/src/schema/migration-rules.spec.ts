// docs/operations.md has the rules: while an upgrade replaces processes one by one, two releases use one schema.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { serviceNames } from '@practice/contracts';
import { readMigrations } from '@practice/log';
import { lintMigration } from './testing/lint.js';

const root = join(import.meta.dirname, '../../../..');
const migrations = ['apps', 'libs']
  .flatMap((group) => readdirSync(join(root, group)).map((name) => join(root, group, name, 'migrations')))
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readMigrations(folder).map((one) => ({ ...one, folder })));

const lint = (...lines: string[]): Promise<string[]> => lintMigration(lines.join('\n'));

describe('the migrations of all services', () => {
  it('are SQL that Postgres can read, and keep the rules', async () => {
    expect(new Set(migrations.map(({ folder }) => folder)).size).toBe(serviceNames.length + 1);
    for (const { name, folder, sql } of migrations)
      expect([folder, name, await lintMigration(sql)]).toEqual([folder, name, []]);
  });
});

describe('a migration beside the previous release', () => {
  it.each([
    'CREATE TABLE s.rooms (id uuid NOT NULL, name text)',
    'ALTER TABLE s.rooms ADD COLUMN floor integer',
    "ALTER TABLE s.rooms ADD COLUMN seats integer NOT NULL DEFAULT '2'",
    'ALTER TABLE s.rooms ADD CONSTRAINT seats_check CHECK (seats > 0) NOT VALID',
    'ALTER TABLE s.rooms VALIDATE CONSTRAINT seats_check',
    'ALTER TABLE s.rooms ADD CONSTRAINT rooms_key UNIQUE USING INDEX rooms_idx',
    'ALTER TABLE s.rooms ALTER COLUMN floor DROP NOT NULL',
    'GRANT SELECT ON s.rooms TO reader',
    'DROP INDEX s.rooms_idx',
    'DROP POLICY read_own ON s.rooms',
  ])('may contain: %s', async (statement) => {
    expect(await lint(`${statement};`)).toEqual([]);
  });

  it('may change the tables that it creates in any way', async () => {
    expect(
      await lint(
        'CREATE TABLE "s"."rooms" (id uuid);',
        'CREATE INDEX rooms_idx ON s.rooms (id);',
        'ALTER TABLE s.rooms ALTER COLUMN id SET NOT NULL;',
        'ALTER TABLE s.rooms ADD CONSTRAINT rooms_pkey PRIMARY KEY (id);',
      ),
    ).toEqual([]);
  });

  it.each([
    ['DROP TABLE s.rooms', 'drops a table'],
    ['DROP FUNCTION s.seats()', 'drops a function'],
    ['TRUNCATE s.rooms', 'empties a table'],
    ['ALTER TABLE s.rooms RENAME TO halls', 'renames a table'],
    ['ALTER TABLE s.rooms RENAME COLUMN seats TO places', 'renames a column'],
    ['ALTER TABLE s.rooms SET SCHEMA t', 'moves an object'],
    ['REVOKE SELECT ON s.rooms FROM reader', 'revokes a right'],
    ['ALTER TABLE s.rooms DROP COLUMN seats', 'drops a column'],
    ['ALTER TABLE s.rooms ADD COLUMN seats integer NOT NULL', 'NOT NULL without a default'],
    ['ALTER TABLE s.rooms ADD COLUMN seats integer CHECK (seats > 0)', 'reads or rewrites the whole table'],
    [
      'ALTER TABLE s.rooms ADD COLUMN n text GENERATED ALWAYS AS (lower(name)) STORED',
      'rewrites the whole table',
    ],
    ['ALTER TABLE s.rooms ALTER COLUMN seats TYPE bigint', 'changes the type'],
    ['ALTER TABLE s.rooms ALTER COLUMN seats SET NOT NULL', 'sets NOT NULL'],
    ['ALTER TABLE s.rooms ALTER COLUMN seats DROP DEFAULT', 'drops a default'],
    ['CREATE INDEX rooms_idx ON s.rooms (name)', 'without CONCURRENTLY'],
    ['ALTER TABLE s.rooms ADD CONSTRAINT seats_check CHECK (seats > 0)', 'without NOT VALID'],
    ['ALTER TABLE s.rooms ADD CONSTRAINT rooms_key UNIQUE (name)', 'USING INDEX'],
  ])('must not contain: %s', async (statement, problem) => {
    expect(await lint(`${statement};`)).toEqual([expect.stringContaining(problem)]);
    expect(await lint('-- contract: no release has read it since 0.3', `${statement};`)).toEqual([]);
    expect(await lint('-- contract: because', `${statement};`)).toEqual([
      `${statement}: the exception has no reason`,
    ]);
  });

  it('does not validate a constraint while it holds the lock of adding it', async () => {
    const problems = await lint(
      'ALTER TABLE s.rooms ADD CONSTRAINT seats_check CHECK (seats > 0) NOT VALID;',
      'ALTER TABLE s.rooms VALIDATE CONSTRAINT seats_check;',
    );
    expect(problems).toEqual([expect.stringContaining('validates a constraint in the transaction')]);
  });

  it('has no unused exception', async () => {
    const problems = await lint('-- contract: no release has read it since 0.3', 'GRANT SELECT ON s.a TO b;');
    expect(problems).toEqual(['GRANT SELECT ON s.a TO b: the exception is not needed']);
  });
});

describe('an index of a table that has rows', () => {
  const index = 'CREATE INDEX CONCURRENTLY rooms_idx ON s.rooms (name)';

  it('is built outside of a transaction, one statement at a time', async () => {
    expect(
      await lint('-- transaction: none', `DROP INDEX CONCURRENTLY IF EXISTS s.rooms_idx;`, `${index};`),
    ).toEqual([]);
    expect(await lint(`${index};`)).toEqual([
      'CONCURRENTLY needs a file that begins with "-- transaction: none"',
    ]);
    expect(await lint('-- transaction: none', `${index}; ${index};`)).toEqual([
      'each statement of a file without a transaction ends with a semicolon at the end of a line',
    ]);
  });

  it('is in a file of its own', async () => {
    expect(await lint('-- transaction: none', `${index};`, 'GRANT SELECT ON s.a TO b;')).toEqual([
      'a file without a transaction has statements with CONCURRENTLY only',
    ]);
  });
});
