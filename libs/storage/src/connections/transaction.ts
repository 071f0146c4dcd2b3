// A write transaction in as few round trips as its decisions allow: open, lock and load in one; store and commit in another.

import { actToWrite, asSystem, lockPractices, pipeline, run, withClient } from '@practice/log';
import { openPractice, sql } from '@practice/log';
import type { Acting, Statement, TextRow } from '@practice/log';
import { kinds } from '@practice/resource';
import type { Pool, PoolClient } from 'pg';
import { ending, isDatabaseUnavailable } from './database-errors.js';
import { timed } from './transaction-metrics.js';

/** The practices that a transaction acts for: row-level security limits it to them. */
export interface Scope {
  readonly service: string;
  /** The practices, each with the role in which the transaction writes there. */
  readonly writers: readonly Acting[];
  /** Other practices that a transaction of one practice locks, all in the order of their ids. */
  readonly others?: readonly string[];
  /** Whether it waits for a practice that another transaction holds; only a transaction of one practice may. */
  readonly waiting: 'wait' | 'skip';
  /** The time limit of each of its statements, in milliseconds; by default the limit of the service's role. */
  readonly statementMs?: number | undefined;
}

/** The end of a practice's log: the position of its last event, and the size of all events in bytes. */
export type Head = ReturnType<typeof headOf>;

export class Transaction {
  /** The heads of the practices that it has locked. */
  readonly heads = new Map<string, Head>();
  private isOpen = false;

  constructor(
    /** Its connection, for statements on private tables. */
    readonly client: PoolClient,
    private readonly scope: Scope,
  ) {}

  /** Whether it has locked a practice from the beginning. */
  hasLocked(therapistId: string): boolean {
    return this.heads.has(therapistId) || this.scope.others?.includes(therapistId) === true;
  }

  /**
   * Locks the practices, then runs the statements, which therefore see everything committed before.
   * @param setup run before the lock; its results are not used
   */
  async begin(statements: readonly Statement[], setup: readonly Statement[] = []): Promise<TextRow[][]> {
    const { service, writers, others = [], waiting, statementMs } = this.scope;
    const practices = writers.map(({ therapistId }) => therapistId);
    const [only] = practices;
    this.isOpen = true;
    const early = others.length === 0 ? [] : [...new Set([...practices, ...others])].sort();
    const opening = [
      sql('BEGIN'),
      ...early.flatMap((practice) => lockOrOpen(service, practice)),
      actToWrite(writers, statementMs),
      ...setup,
    ];
    const locking = [lockPractices(service, practices, waiting), ...statements];
    const [locked, ...answers] = (await pipeline(this.client, [...opening, ...locking])).slice(
      opening.length,
    );
    this.keep(locked);
    if (waiting === 'skip' || only === undefined || this.heads.size > 0) return answers;
    const [, relocked, ...again] = await pipeline(this.client, [openPractice(service, only), ...locking]);
    this.keep(relocked);
    return again;
  }

  load(statements: readonly Statement[]): Promise<TextRow[][]> {
    return pipeline(this.client, statements);
  }

  /**
   * Runs the statements and ends the transaction with them; if one fails, everything is rolled back.
   * @throws {CommitLost} if it is unknown whether the transaction was committed
   */
  async end(statements: readonly Statement[], how: 'COMMIT' | 'ROLLBACK'): Promise<TextRow[][]> {
    const answers = await ending(how, pipeline(this.client, [...statements, sql(how)]));
    this.isOpen = false;
    return answers.slice(0, -1);
  }

  /** Rolls back the transaction if it has begun and has not ended. */
  async close(): Promise<void> {
    if (this.isOpen) await run(this.client, sql('ROLLBACK'));
  }

  /** Gives the connection up without a rollback: Postgres rolls back when the connection ends. */
  abandon(discard: (error: Error) => void, error: unknown): void {
    this.isOpen = false;
    discard(error as Error);
  }

  /** Locks one more practice, or one that it has locked already, and acts for it. */
  async lockAlso(therapistId: string): Promise<Head> {
    const [, , [row] = []] = await pipeline(this.client, lockOrOpen(this.scope.service, therapistId));
    if (row === undefined) throw new Error(`${therapistId} has no head to lock`);
    return headOf(row);
  }

  private keep(rows: readonly TextRow[] = []): void {
    for (const row of rows) this.heads.set(String(row[0]), headOf(row));
  }
}

const headOf = ([, position, bytes, lockedAt, eraseAt, erasures, keptBytes]: TextRow) => ({
  position: Number(position),
  bytes: Number(bytes),
  /** The size of the responses under idempotency keys that count now. */
  keptBytes: Number(keptBytes),
  /** The number of erasures in the practice. */
  erasures: Number(erasures),
  /** When it was locked, in the canonical form of timestamps: not before the last event was recorded. */
  lockedAt: kinds.timestamp.fromText(String(lockedAt)),
  /** When the practice is erased; null unless it is closed. */
  eraseAt: eraseAt == null ? null : kinds.timestamp.fromText(eraseAt),
});

const lockOrOpen = (service: string, therapistId: string): Statement[] => [
  actToWrite([asSystem(therapistId)]),
  openPractice(service, therapistId),
  lockPractices(service, [therapistId], 'wait'),
];

/** Runs `work` in a transaction on a connection of the pool. Anything that it leaves open is rolled back. */
export function inTransaction<T>(
  pool: Pool,
  scope: Scope,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const run = async (client: PoolClient, discard: (error: Error) => void): Promise<T> => {
    const transaction = new Transaction(client, scope);
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
  };
  return timed(scope.waiting === 'wait' ? 'exclusive' : 'shared', () => withClient(pool, run));
}
