// Slow reads have one connection in a process. They run one at a time, and practices take turns. So they use at most one core of
// the machine, and the quick reads of other practices never wait behind them.

import { busy, reject } from '@practice/core';
import type { Acting, Statement, TextRow } from '@practice/log';
import { activeTraceparent } from '@practice/tracing';
import type { Pool } from 'pg';
import { isDatabaseUnavailable, tooMuchTime } from '../connections/database-errors.js';
import { PipelinedConnections, type ReadSettings } from './pipelined-connections.js';
import type { ReadTimes } from './read-times.js';
import { observeRead, observeReadWait } from './read-metrics.js';
import { limitTime } from '../connections/session-settings.js';

/** More reads than gateways send at a time for one practice. If so many wait, the callers of most of them have given up. */
const MAY_WAIT = 256;

export interface SlowRead {
  readonly acting: Acting;
  readonly statement: Statement;
  readonly settings: readonly Statement[];
  /** Milliseconds since the epoch. After it the caller has given up. */
  readonly deadline: number;
}

interface Waiting {
  readonly read: SlowRead;
  /** Milliseconds of `performance.now()`. */
  readonly arrivedAt: number;
  /** The span that it belongs to. */
  readonly traceparent: string | undefined;
  readonly resolve: (rows: Promise<TextRow[]>) => void;
  readonly reject: (error: unknown) => void;
}

export class SlowReads {
  private readonly connection: PipelinedConnections;
  /** The practice whose turn is next comes first. */
  private readonly queues = new Map<string, Waiting[]>();
  private isRunning = false;

  constructor(
    pool: Pool,
    private readonly reading: ReadSettings,
    private readonly times: ReadTimes,
  ) {
    this.connection = new PipelinedConnections(pool, { ...reading, connections: 1 });
  }

  /** @throws {Rejection} PM004 if the practice has used up its time, PM503 if too many of its reads wait */
  async run(read: SlowRead): Promise<TextRow[]> {
    const { therapistId: practice } = read.acting;
    this.requireTime(practice);
    const queue = this.queues.get(practice) ?? [];
    if (queue.length >= MAY_WAIT) return reject(busy);
    this.queues.set(practice, queue);
    return new Promise((resolve, refuse) => {
      const traceparent = activeTraceparent();
      queue.push({ read, arrivedAt: performance.now(), traceparent, resolve, reject: refuse });
      this.next();
    });
  }

  close(): void {
    this.connection.close();
  }

  private requireTime(practice: string): void {
    const ms = this.times.remainingMs(practice, performance.now());
    if (ms > 0) reject(tooMuchTime(ms));
  }

  private next(): void {
    if (this.isRunning) return;
    const waiting = this.take();
    if (waiting === undefined) return;
    this.isRunning = true;
    void this.execute(waiting).finally(() => {
      this.isRunning = false;
      this.next();
    });
  }

  /** The first read of the next practice; the practice goes to the end of the queue. */
  private take(): Waiting | undefined {
    for (const [practice, queue] of this.queues) {
      this.queues.delete(practice);
      const waiting = queue.shift();
      if (queue.length > 0) this.queues.set(practice, queue);
      if (waiting !== undefined) return waiting;
    }
    return undefined;
  }

  private async execute({ read, arrivedAt, traceparent, resolve, reject: refuse }: Waiting): Promise<void> {
    const { acting, statement, settings, deadline } = read;
    const { therapistId: practice } = acting;
    try {
      this.requireTime(practice);
      leftUntil(deadline);
      // A practice does not pay for the wait for a connection.
      await this.connection.ready();
      const began = performance.now();
      observeReadWait('slow', began - arrivedAt);
      const left = leftUntil(deadline);
      const limited = left < this.reading.statementMs ? [...settings, limitTime(left)] : settings;
      const rows = this.connection.run(acting, statement, limited);
      resolve(rows);
      const isLost = await rows.then(() => false, isDatabaseUnavailable);
      const ended = performance.now();
      observeRead('slow', ended - began, traceparent);
      if (!isLost) this.times.note(practice, ended - began, ended);
    } catch (error) {
      refuse(error);
    }
  }
}

/** @throws {Rejection} PM503 if the caller has given up */
function leftUntil(deadline: number): number {
  const left = deadline - Date.now();
  return left > 0 ? left : reject(busy);
}
