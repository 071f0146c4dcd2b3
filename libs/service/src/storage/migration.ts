import type { MigrationInterface, QueryRunner } from 'typeorm';

export type MigrationClass = new () => MigrationInterface;

/**
 * A migration that is nothing but SQL, run in one transaction.
 * @param name what it does followed by when it was made, in milliseconds since the epoch: TypeORM runs them in that order
 */
export function migration(name: string, statements: readonly string[]): MigrationClass {
  return class implements MigrationInterface {
    readonly name = name;

    async up(runner: QueryRunner): Promise<void> {
      for (const statement of statements) await runner.query(statement);
    }

    /** Facts are never taken back: a mistake is mended by the next migration. */
    down(): Promise<void> {
      return Promise.reject(new Error(`${name} cannot be undone`));
    }
  };
}
