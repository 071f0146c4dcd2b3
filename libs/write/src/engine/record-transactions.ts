// One transaction over several records of the service and its private tables: for changes that do not come as a request
// for one resource, such as a sign-up.

import { Injectable } from '@nestjs/common';
import { EventBus } from '@nestjs/cqrs';
import { busy, reject } from '@practice/core';
import { pipeline, run, withClient } from '@practice/log';
import type { Statement } from '@practice/log';
import type { ClientBase } from 'pg';
import { Committed } from './committed.js';
import { ending, TenantDatabase } from '@practice/storage';
import { Deciders } from './deciders.js';
import { Effects } from './effects.js';
import type { EffectsOfWrite } from './effects.js';
import { WriteQueue } from './group/write-queue.js';
import { LateLock, lockInOrder } from './practice-locks.js';
import { timeLeft } from './time-left.js';
import type { RecordOrigin, RecordTransaction } from './record-transaction.js';
import { lockedRecords } from './transaction-records.js';

export type { RecordOrigin, RecordTransaction } from './record-transaction.js';

@Injectable()
export class RecordTransactions {
  constructor(
    private readonly database: TenantDatabase,
    private readonly queue: WriteQueue,
    private readonly deciders: Deciders,
    private readonly events: EventBus,
    private readonly effects: Effects,
  ) {}

  /**
   * Runs `work` under the practice's lock and commits. Nothing is kept when `work` throws. It runs again if it needs another
   * practice that had to be locked earlier.
   * @throws {Rejection} 503 when the caller no longer waits; whatever `work` throws
   * @param options.isDryRun rolls back instead
   */
  async run<T>(
    origin: RecordOrigin,
    work: (transaction: RecordTransaction) => Promise<T>,
    { isDryRun = false } = {},
  ): Promise<T> {
    const effects: EffectsOfWrite[] = [];
    const result = await this.queue.exclusively(origin, () =>
      withClient(this.database.writes, async (client, spoil) => {
        const end = isDryRun ? 'ROLLBACK' : 'COMMIT';
        for (const early: string[] = []; ;) {
          try {
            return await this.attempt(client, { origin, effects, end, early }, work);
          } catch (error) {
            await run(client, sql('ROLLBACK')).catch(spoil);
            if (!(error instanceof LateLock)) throw error;
            early.push(error.therapistId);
          }
        }
      }),
    );
    this.events.publish(new Committed());
    if (!isDryRun) for (const effect of effects) await effect.committed();
    return result;
  }

  private async attempt<T>(
    client: ClientBase,
    { origin, effects, end, early }: Attempted,
    work: (transaction: RecordTransaction) => Promise<T>,
  ): Promise<T> {
    effects.length = 0;
    const begin = (): EffectsOfWrite => {
      const begun = this.effects.ofOneWrite();
      effects.push(begun);
      return begun;
    };
    const { service } = this.database;
    const parts = { service, deciders: this.deciders, begin, locked: new Set<string>() };
    const isFirst = early.length === 0;
    if (!isFirst)
      await lockInOrder(client, parts, { practices: [...early, origin.therapistId], begin: [sql('BEGIN')] });
    const records = await lockedRecords(client, parts, { origin, begin: isFirst ? [sql('BEGIN')] : [] });
    const result = await work(records);
    requireTime(origin);
    await ending(end, pipeline(client, [...records.statements(), sql(end)]));
    return result;
  }
}

interface Attempted {
  readonly origin: RecordOrigin;
  /** Filled with the effects of the transaction. */
  readonly effects: EffectsOfWrite[];
  readonly end: 'COMMIT' | 'ROLLBACK';
  /** Practices beside the own one that an earlier attempt has asked for too late. */
  readonly early: readonly string[];
}

/** @throws {Rejection} when the caller no longer waits */
function requireTime({ deadline = Infinity }: RecordOrigin): void {
  if (timeLeft(deadline) <= 0) reject(busy);
}

const sql = (text: string): Statement => ({ text, values: [] });
