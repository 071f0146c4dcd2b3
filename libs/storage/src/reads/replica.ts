// A read-only copy of the database, which Postgres keeps by streaming replication, for reads whose callers accept older rows. A
// failure of the replica must not make a read fail: the primary answers instead.

import { DatabaseError, type Pool } from 'pg';
import { asSystem, sql, type Acting, type Statement, type TextRow } from '@practice/log';
import { isDatabaseUnavailable } from '../connections/database-errors.js';
import { observeReplica } from './read-metrics.js';
import type { ReadSettings } from './pipelined-connections.js';
import { Reads, type ReadTerms } from './reads.js';
import type { ReadTimes } from './read-times.js';

/** How long the replica gets no reads after it has failed. */
const AWAY_MS = 3_000;
/** The time beyond the limit of a statement after which a silent replica counts as lost. The primary then answers the caller. */
const GRACE_MS = 250;

/**
 * 40001: a row that the read needs was removed on the primary. Class 42: the replica does not have the tables of this version
 * yet, or the statement is wrong, which the primary then reports.
 */
const NOT_HERE = /^(?:40001|42)/;

const NO_PRACTICE = '00000000-0000-0000-0000-000000000000';

/** Without a connection to the primary, a replica that has replayed everything it received may still be behind. */
const behind: Statement = sql(
  `SELECT CASE WHEN NOT pg_is_in_recovery() THEN 0
    WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() AND EXISTS (SELECT FROM pg_stat_wal_receiver WHERE pid IS NOT NULL) THEN 0
    ELSE coalesce(extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()), 0) END`,
);

export class Replica {
  private reads: Reads;
  private readonly reading: ReadSettings;
  private awayUntil = 0;

  /** @param times shared with the primary: a practice has one budget of time for both */
  constructor(
    private readonly pool: Pool,
    reading: ReadSettings,
    private readonly times: ReadTimes,
    private readonly onLost: (error: Error) => void,
  ) {
    this.reading = { answersWithinMs: reading.statementMs + GRACE_MS, ...reading };
    this.reads = new Reads(pool, this.reading, times);
  }

  /**
   * Runs a read as `Reads.run` does.
   * @returns undefined if the primary has to answer
   * @throws the errors of the read itself
   */
  async run(acting: Acting, statement: Statement, terms?: ReadTerms): Promise<TextRow[] | undefined> {
    const rows = performance.now() < this.awayUntil ? undefined : await this.ask(acting, statement, terms);
    observeReplica(rows === undefined ? 'primary' : 'replica');
    return rows;
  }

  /**
   * How old its rows are, in seconds.
   * @throws {Error} while the replica is unavailable
   */
  async secondsBehind(): Promise<number> {
    const rows =
      performance.now() < this.awayUntil ? undefined : await this.ask(asSystem(NO_PRACTICE), behind);
    if (rows === undefined) throw new Error('the replica is away');
    return Number(rows[0]?.[0]);
  }

  async close(): Promise<void> {
    this.reads.close();
    await this.pool.end();
  }

  private async ask(acting: Acting, statement: Statement, terms?: ReadTerms): Promise<TextRow[] | undefined> {
    const { reads } = this;
    try {
      return await reads.run(acting, statement, terms);
    } catch (error) {
      if (error instanceof DatabaseError && NOT_HERE.test(error.code ?? '')) return undefined;
      if (!isDatabaseUnavailable(error)) throw error;
      this.leave(reads, error as Error);
      return undefined;
    }
  }

  /** Closes its connections, so that reads that wait on them go to the primary at once. */
  private leave(reads: Reads, error: Error): void {
    if (reads !== this.reads) return;
    this.awayUntil = performance.now() + AWAY_MS;
    this.reads = new Reads(this.pool, this.reading, this.times);
    reads.close();
    this.onLost(error);
  }
}
