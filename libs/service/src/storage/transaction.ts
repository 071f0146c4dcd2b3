// A write transaction in as few round trips as its decision allows: open, lock and load in one; store and commit in another.

import { actFor, lockPractice, openPractice, pipeline, run, withClient } from '@practice/event-store';
import type { Statement, TextRow } from '@practice/event-store';
import type { Pool, PoolClient } from 'pg';

const sql = (text: string): Statement => ({ text, values: [] });

/** What is looked at first, under the lock and before anything is loaded; it ends the transaction by throwing. */
export interface Guard {
  readonly statements: readonly Statement[];
  check(answers: readonly TextRow[][]): void;
}

const NO_GUARD: Guard = { statements: [], check: () => undefined };

export class Transaction {
  /** The practice's position in the log, as read under its lock. */
  position = 0;
  private open = false;

  constructor(
    private readonly client: PoolClient,
    readonly log: { readonly service: string; readonly therapistId: string },
    private readonly guard: Guard = NO_GUARD,
    private readonly sessionSetup: readonly Statement[] = [],
  ) {}

  /** Locks the practice, then runs the statements, which so see everything committed before. */
  async begin(statements: readonly Statement[]): Promise<TextRow[][]> {
    const { service, therapistId } = this.log;
    const first = [lockPractice(service, therapistId), ...this.guard.statements, ...statements];
    this.open = true;
    const opening = [sql('BEGIN'), actFor(therapistId), ...this.sessionSetup];
    const answers = (await pipeline(this.client, [...opening, ...first])).slice(opening.length);
    if (this.hasLocked(answers[0])) return this.guarded(answers);
    const [, ...again] = await pipeline(this.client, [openPractice(service, therapistId), ...first]);
    this.hasLocked(again[0]);
    return this.guarded(again);
  }

  load(statements: readonly Statement[]): Promise<TextRow[][]> {
    return pipeline(this.client, statements);
  }

  /** Runs the statements and ends the transaction with them; when one fails, nothing of it stays. */
  async end(statements: readonly Statement[], how: 'COMMIT' | 'ROLLBACK'): Promise<TextRow[][]> {
    const answers = await pipeline(this.client, [...statements, sql(how)]);
    this.open = false;
    return answers.slice(0, -1);
  }

  /** Undoes whatever was begun and not ended. */
  async close(): Promise<void> {
    if (this.open) await run(this.client, sql('ROLLBACK'));
  }

  /** The answers of the caller's own statements, once the guard has let them pass. */
  private guarded([, ...answers]: readonly TextRow[][]): TextRow[][] {
    const { statements, check } = this.guard;
    check(answers.slice(0, statements.length));
    return answers.slice(statements.length);
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
  readonly guard?: Guard | undefined;
  /** Run first of all, before the practice is locked; nobody looks at their answers. */
  readonly sessionSetup?: readonly Statement[] | undefined;
}

/** Runs `work` in a transaction on a connection of the pool; whatever it did not end itself is rolled back. */
export function inTransaction<T>(
  pool: Pool,
  { guard, sessionSetup, ...log }: Opening,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  return withClient(pool, async (client, spoil) => {
    const transaction = new Transaction(client, log, guard, sessionSetup);
    try {
      return await work(transaction);
    } finally {
      // A connection whose rollback fails is no use to the next one.
      await transaction.close().catch(spoil);
    }
  });
}
