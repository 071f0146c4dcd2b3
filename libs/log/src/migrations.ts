// Migrations are files of SQL. They are frozen: they run no code of the project, and a later migration corrects an earlier one.
// The tables that services share in form come from one series, with "${schema}" in place of the schema.

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

/** A migration of tables that more than one service has. */
export interface SharedMigration extends Migration {
  /** The part of a service that the migration is for, such as a mirror; undefined if it is for all services. */
  readonly onlyWith: string | undefined;
}

/** The folder of the migrations that services share. It is found by package, because a bundle has another URL than its sources. */
export const sharedFolder = (): string =>
  fileURLToPath(new URL('../migrations/', import.meta.resolve('@practice/log')));

/** The migrations that services share, as SQL for the schema of this service. */
export const sharedMigrations = (service: string): SharedMigration[] =>
  readMigrations(sharedFolder()).map(({ name, sql }) => ({
    name,
    sql: sql.replaceAll('${schema}', schemaOf(service)),
    onlyWith: /^-- only with: (.+)$/m.exec(sql)?.[1],
  }));

/** SQL of the tables that every service has. */
export const sharedTables = (service: string): string[] =>
  sharedMigrations(service).flatMap(({ sql, onlyWith }) => (onlyWith === undefined ? [sql] : []));
