// A service's own migrations are files of SQL in `apps/<service>/migrations`. They are beside `src`, not in it, so a build has
// nothing to copy.

import { fileURLToPath } from 'node:url';
import { readMigrations, sharedMigrations, type Migration } from '@practice/log';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { hasAccessLog } from '../tables/access-log-table.js';
import type { Mirrored } from '../tables/shared-tables.js';

/** The migrations folder of an app. @param programUrl of a program in its `src` or `dist` */
export const migrationsOf = (programUrl: string): string =>
  fileURLToPath(new URL('../migrations/', programUrl));

/** The parts of a service that decide which shared migrations it needs. */
export interface SharedParts {
  readonly service: string;
  readonly mirrored?: Mirrored;
}

/** The shared migrations that a service needs. */
export const sharedOf = ({ service, mirrored = {} }: SharedParts): Migration[] => {
  const has: Readonly<Record<string, boolean>> = {
    mirror: Object.keys(mirrored).length > 0,
    'access log': hasAccessLog(service),
  };
  return sharedMigrations(service).filter(({ name, onlyWith }) => {
    if (onlyWith === undefined) return true;
    const isNeeded = has[onlyWith];
    if (isNeeded === undefined) throw new Error(`${name}: no service has a ${onlyWith}`);
    return isNeeded;
  });
};

/** All migrations of a service: the shared ones that it needs, and its own. @param folder of its own */
export const allMigrations = (parts: SharedParts, folder: string): Migration[] => [
  ...sharedOf(parts),
  ...readMigrations(folder),
];

/** The file name of a migration. @param title camel case, such as `addRoomToAppointments` */
export const migrationFile = (title: string, time: number): string =>
  `${time}-${title.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.sql`;

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
