// Migrations are files of SQL. They are frozen: no code of today runs in them, and the next migration corrects the last. The
// tables that services have alike come from one series, in which "${schema}" stands for the schema.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { schemaOf } from '@practice/core';

export interface Migration {
  /** The title in camel case, then the time it was written in milliseconds: TypeORM runs migrations in that order. */
  readonly name: string;
  readonly sql: string;
}

/**
 * Reads a folder of migrations in the order in which they run.
 * @throws {Error} if a file's name is not a time and a title
 */
export function readMigrations(folder: string): Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const [, time, title] = /^(\d{13})-([a-z0-9-]+)\.sql$/.exec(file) ?? [];
      if (time === undefined || title === undefined)
        throw new Error(`${file}: the name of a migration is like 1795222800000-add-room.sql`);
      return { name: `${camelCase(title)}${time}`, sql: readFileSync(join(folder, file), 'utf8') };
    });
}

const camelCase = (title: string): string =>
  title.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** A migration of the tables that services have alike. */
export interface SharedMigration extends Migration {
  /** A part that only some services have, such as a mirror, and that the migration is for; undefined if it is for all. */
  readonly onlyWith: string | undefined;
}

/** The folder of the migrations that services share. A bundle has another URL than its sources. */
export const sharedFolder = (): string =>
  fileURLToPath(new URL('../migrations/', import.meta.resolve('@practice/log')));

/** The migrations that services share, as SQL for the schema of this one. */
export const sharedMigrations = (service: string): SharedMigration[] =>
  readMigrations(sharedFolder()).map(({ name, sql }) => ({
    name,
    sql: sql.replaceAll('${schema}', schemaOf(service)),
    onlyWith: /^-- only with: (.+)$/m.exec(sql)?.[1],
  }));

/** SQL of the tables that every service has. */
export const sharedTables = (service: string): string[] =>
  sharedMigrations(service).flatMap(({ sql, onlyWith }) => (onlyWith === undefined ? [sql] : []));
