// A write transaction in as few round trips as its decision allows: open, lock and load in one; store and commit in another.

import { actFor, lockPractice, openPractice, pipeline, run, withClient } from '@practice/event-store';
import type { Statement, TextRow } from '@practice/event-store';
import type { Pool, PoolClient } from 'pg';
import { isDatabaseUnavailable } from './database-errors.js';

const sql = (text: string): Statement => ({ text, values: [] });

export class Transaction {
  /** The practice's position in the log, as read under its lock. */
  position = 0;
  private isOpen = false;

  /** @param sessionSetup run before the practice is locked; their results are not used */
  constructor(
    private readonly client: PoolClient,
    readonly log: { readonly service: string; readonly therapistId: string },
    private readonly sessionSetup: readonly Statement[] = [],
  ) {}

  /** Locks the practice, then runs the statements, which therefore see everything committed before. */
  async begin(statements: readonly Statement[]): Promise<TextRow[][]> {
    const { service, therapistId } = this.log;
    const locking = [lockPractice(service, therapistId), ...statements];
    this.isOpen = true;
    const opening = [sql('BEGIN'), actFor(therapistId), ...this.sessionSetup];
    const [locked, ...answers] = (await pipeline(this.client, [...opening, ...locking])).slice(
      opening.length,
    );
    if (this.hasLocked(locked)) return answers;
    const [, relocked, ...again] = await pipeline(this.client, [
      openPractice(service, therapistId),
      ...locking,
    ]);
    this.hasLocked(relocked);
    return again;
  }

  load(statements: readonly Statement[]): Promise<TextRow[][]> {
    return pipeline(this.client, statements);
  }

  /** Runs the statements and ends the transaction with them; if one fails, everything is rolled back. */
  async end(statements: readonly Statement[], how: 'COMMIT' | 'ROLLBACK'): Promise<TextRow[][]> {
    const answers = await pipeline(this.client, [...statements, sql(how)]);
    this.isOpen = false;
    return answers.slice(0, -1);
  }

  /** Rolls back whatever was begun and not ended. */
  async close(): Promise<void> {
    if (this.isOpen) await run(this.client, sql('ROLLBACK'));
  }

  /** Gives the connection up without a rollback: Postgres rolls back when it ends. */
  abandon(discard: (error: Error) => void, error: unknown): void {
    this.isOpen = false;
    discard(error as Error);
  }

  private hasLocked(rows: TextRow[] | undefined): boolean {
    const position = rows?.[0]?.[0];
    if (position === undefined) return false;
    this.position = Number(position);
    return true;
  }
}

interface Opening {
  readonly service: string;
  readonly therapistId: string;
  readonly sessionSetup?: readonly Statement[] | undefined;
}

/** Runs `work` in a transaction on a connection of the pool. Anything that it leaves open is rolled back. */
export function inTransaction<T>(
  pool: Pool,
  { sessionSetup, ...log }: Opening,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  return withClient(pool, async (client, discard) => {
    const transaction = new Transaction(client, log, sessionSetup);
    try {
      return await work(transaction);
    } catch (error) {
      // Nothing is sent on a connection that is about to end: it might never be answered.
      if (isDatabaseUnavailable(error)) transaction.abandon(discard, error);
      throw error;
    } finally {
      // A connection whose rollback fails must not go back to the pool.
      await transaction.close().catch(discard);
    }
  });
}
