import { readMigrations, sharedMigrations, waitForLock, withOpenClient, type Migration } from '@practice/log';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { schemaOf } from '@practice/core';
import { readOwnerUrl, refreshReadTables } from '@practice/recovery';
import {
  allMigrations,
  findDrift,
  migrationClass,
  migrationFile,
  migrationsOf,
  migrationText,
  openDataSource,
} from '@practice/storage';
import type { SchemaParts } from '@practice/storage';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';

/**
 * Runs the migrate command of a service: it runs the migrations that its schema does not have yet, as the schema's owner, and
 * prints their names. With `--write NAME` it writes the next migration instead. With `--check` it prints the differences between
 * migrations, code and the live schema. The exit status is then 1 if there are any.
 * @param programUrl `import.meta.url` of the app's program
 */
export async function migrate(
  parts: SchemaParts,
  programUrl: string,
  [flag, title]: readonly string[] = process.argv.slice(2),
): Promise<void> {
  const folder = migrationsOf(programUrl);
  if (flag === '--check') return check(parts, folder);
  if (flag === '--write' && title !== undefined) return writeMigration(parts, { folder, title });
  await runMigrations(parts, { folder, url: readOwnerUrl() });
}

interface MigrationRun {
  readonly folder: string;
  /** The connection string of the role that owns the schema. */
  readonly url: string;
}

/**
 * Brings a schema up to date, and its rows if definitions have changed. If several processes do so at once, one does the work while
 * the others wait, and then these find nothing left to do.
 */
export async function runMigrations(parts: SchemaParts, run: MigrationRun): Promise<void> {
  const config = { connectionString: run.url, application_name: `${parts.service} migrations` };
  await withOpenClient(config, async (lock) => {
    await waitForLock(lock, `migrations ${parts.service}`);
    await migrateSchema(parts, run);
  });
}

async function migrateSchema(parts: SchemaParts, { folder, url }: MigrationRun): Promise<void> {
  const { service } = parts;
  const classes = allMigrations(parts, folder).map(migrationClass);
  const dataSource = await openDataSource({ service, url, resources: [], migrations: classes });
  try {
    await requireKnown(dataSource, service, [...sharedMigrations(service), ...readMigrations(folder)]);
    const done = await withLockRetries(() => dataSource.runMigrations({ transaction: 'each' }));
    for (const { name } of done) say(`${service}: ${name}`);
  } finally {
    await dataSource.destroy();
  }
  const practices = await refreshReadTables(service, url);
  if (practices !== null) say(`${service}: read tables folded again from the log of ${practices} practices`);
}

const MOST_ATTEMPTS = 10;
const RETRY_MS = 1_000;

/**
 * Runs migrations, and runs them again if one could not get a lock: a process that serves requests may hold it. A migration waits only
 * briefly, because requests queue behind it.
 */
async function withLockRetries<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isLockTimeout(error) || attempt === MOST_ATTEMPTS) throw error;
      await pause(RETRY_MS);
    }
  }
}

/** 55P03, lock_not_available. A migration in a transaction was rolled back. One without begins by removing what it had left. */
const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '55P03';

/** Checks that this version knows the schema's migrations. @throws {Error} when another version has migrated it: data could be lost */
async function requireKnown(
  dataSource: DataSource,
  service: string,
  migrations: readonly Migration[],
): Promise<void> {
  const table = `"${schemaOf(service)}".migrations`;
  const [found] = await dataSource.query<{ isThere: boolean }[]>(
    `SELECT to_regclass($1) IS NOT NULL AS "isThere"`,
    [table],
  );
  if (found?.isThere !== true) return;
  const known = new Set(migrations.map(({ name }) => name));
  const rows = await dataSource.query<{ name: string }[]>(`SELECT name FROM ${table} ORDER BY id`);
  const unknown = rows.find(({ name }) => !known.has(name));
  if (unknown !== undefined)
    throw new Error(
      `the database of ${service} was migrated by another version (${unknown.name}); start that version, or use an empty database`,
    );
}

async function writeMigration(
  parts: SchemaParts,
  { folder, title }: { folder: string; title: string },
): Promise<void> {
  const url = readOwnerUrl();
  const { migrations: statements } = await findDrift(parts, {
    url,
    migrations: allMigrations(parts, folder),
  });
  if (statements.length === 0) return say(`${parts.service}: the migrations make what the code wants`);
  const file = migrationFile(title, Date.now());
  await writeFile(join(folder, file), migrationText(statements), { flag: 'wx' });
  say(`${parts.service}: wrote ${join(folder, file)}; read it, then commit it`);
}

async function check(parts: SchemaParts, folder: string): Promise<void> {
  const { migrations, live } = await findDrift(parts, {
    url: readOwnerUrl(),
    migrations: allMigrations(parts, folder),
  });
  for (const statement of migrations) say(`the migrations lack: ${statement}`);
  for (const statement of live) say(`the live schema lacks: ${statement}`);
  if (migrations.length + live.length > 0) process.exitCode = 1;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
