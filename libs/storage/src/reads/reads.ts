import type { Acting, Statement, TextRow } from '@practice/log';
import type { Pool } from 'pg';
import { isCancelled, isNotPrepared } from '../connections/database-errors.js';
import { observeRead, observeReadWait } from './read-metrics.js';
import { AtOnce } from './at-once.js';
import { PipelinedConnections, type ReadSettings } from './pipelined-connections.js';
import { QUICK_MS, ReadTimes } from './read-times.js';
import { setZone } from '../connections/session-settings.js';
import { SlowReads } from './slow-reads.js';

/** Statements of one practice that are on the wire at the same time: enough to hide the round trip. */
const AT_ONCE = 8;

export interface ReadTerms {
  /** For reading and writing timestamps; null for UTC. */
  readonly timezone?: string | null;
  /** Milliseconds since the epoch. After it the caller has given up. */
  readonly deadline?: number | undefined;
}

/**
 * The reads of a process, each a transaction of its own. All of them begin on shared connections, where Postgres cancels them
 * after some milliseconds. A cancelled read is repeated on the connection for slow reads. If it was the first use of a statement
 * and Postgres had not parsed it, the reads of the same statement that were sent behind it are repeated there, too.
 */
export class Reads {
  private readonly atOnce = new AtOnce(AT_ONCE);
  private readonly quick: PipelinedConnections;
  private readonly slow: SlowReads;

  constructor(
    pool: Pool,
    reading: ReadSettings,
    readonly times = new ReadTimes(),
  ) {
    const statementMs = Math.min(QUICK_MS, reading.statementMs);
    this.quick = new PipelinedConnections(pool, { ...reading, statementMs });
    this.slow = new SlowReads(pool, reading, times);
  }

  /**
   * Runs a statement in a practice and a role. It may be run twice, so its effect must not depend on that.
   * @throws {Rejection} PM004, PM503 if the practice's slow reads take too much time
   */
  async run(
    acting: Acting,
    statement: Statement,
    { timezone = null, deadline = Infinity }: ReadTerms = {},
  ): Promise<TextRow[]> {
    const settings = timezone === null ? [] : [setZone(timezone)];
    return (
      (await this.runQuickly(acting, statement, settings)) ??
      this.slow.run({ acting, statement, settings, deadline })
    );
  }

  /**
   * Runs a statement on the connection for slow reads, in turn with the slow reads of other practices. It is meant for one of
   * many parts of long work.
   * @throws {Rejection} as `run`; PM503 if its turn comes after the deadline
   */
  runSlowly(acting: Acting, statement: Statement, deadline: number): Promise<TextRow[]> {
    return this.slow.run({ acting, statement, settings: [], deadline });
  }

  close(): void {
    this.quick.close();
    this.slow.close();
  }

  /** The rows; undefined for a read that belongs on the connection for slow reads. */
  private async runQuickly(
    acting: Acting,
    statement: Statement,
    settings: readonly Statement[],
  ): Promise<TextRow[] | undefined> {
    const { therapistId: practice } = acting;
    const arrived = performance.now();
    if (this.times.isSlow(practice, arrived)) return undefined;
    const turn = this.atOnce.enter(practice);
    if (turn !== undefined) await turn;
    const began = turn === undefined ? arrived : performance.now();
    if (turn !== undefined) observeReadWait('shared', began - arrived);
    try {
      if (turn !== undefined && this.times.isSlow(practice, began)) return undefined;
      const rows = await this.quick.run(acting, statement, settings);
      observeRead('shared', performance.now() - began);
      return rows;
    } catch (error) {
      if (isCancelled(error)) this.times.note(practice, QUICK_MS, performance.now());
      else if (!isNotPrepared(error)) throw error;
      return undefined;
    } finally {
      this.atOnce.leave(practice);
    }
  }
}
