// A service's migrations are files of SQL in `apps/<service>/migrations`. They are frozen: no code of today runs in them, and
// the next migration corrects the last. They are beside `src`, not in it, so a build has nothing to copy.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export interface Migration {
  /** The title in camel case, then the time it was written in milliseconds: TypeORM runs migrations in that order. */
  readonly name: string;
  readonly sql: string;
}

/** The migrations folder of an app. @param programUrl of a program in its `src` or `dist` */
export const migrationsOf = (programUrl: string): string =>
  fileURLToPath(new URL('../migrations/', programUrl));

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

/** The file name of a migration. @param title camel case, such as `addRoomToAppointments` */
export const migrationFile = (title: string, time: number): string =>
  `${time}-${title.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.sql`;

const camelCase = (title: string): string =>
  title.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Indexes are built CONCURRENTLY in a migration that begins with this line, because no transaction may do that. */
const NO_TRANSACTION = '-- transaction: none\n';

/** Whether a migration is one transaction. */
export const runsInTransaction = (sql: string): boolean => !sql.startsWith(NO_TRANSACTION);

/** The statements of a migration without a transaction, which Postgres must get one by one. */
export const statementTexts = (sql: string): string[] =>
  sql
    .slice(NO_TRANSACTION.length)
    .split(/;[ \t]*(?:\n|$)/)
    .filter((text) => text.trim() !== '');

/** The texts of a migration. Postgres gets them one by one. */
export const textsOf = ({ sql }: Pick<Migration, 'sql'>): readonly string[] =>
  runsInTransaction(sql) ? [sql] : statementTexts(sql);

/** A migration as TypeORM runs it. */
export function migrationClass(migration: Migration): new () => MigrationInterface {
  const { name, sql } = migration;
  const isTransaction = runsInTransaction(sql);
  return class implements MigrationInterface {
    readonly name = name;
    readonly transaction = isTransaction;

    async up(runner: QueryRunner): Promise<void> {
      for (const text of textsOf(migration)) await runner.query(text);
    }

    down(): Promise<void> {
      return Promise.reject(new Error(`${name} cannot be undone`));
    }
  };
}
