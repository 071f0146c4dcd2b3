// One transaction over several records of the service and its private tables. It is a write that is not batched.

import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SYSTEM, type TextRow } from '@practice/log';
import { TenantDatabase } from '@practice/storage';
import { ChangeRecords, type RecordWork } from './change-records.command.js';
import { Deciders } from './deciders.js';
import { Effects, type EffectsOfWrite } from './effects.js';
import { workInTransaction, type Resumable } from './group/resumable.js';
import type { Stored } from './group/attempt.js';
import type { PracticeView } from './group/practice-view.js';
import { WriteQueue } from './group/write-queue.js';
import { RecordTransaction } from './record-transaction.js';

@CommandHandler(ChangeRecords)
export class ChangeRecordsHandler implements ICommandHandler<ChangeRecords> {
  constructor(
    private readonly database: TenantDatabase,
    private readonly queue: WriteQueue,
    private readonly deciders: Deciders,
    private readonly effects: Effects,
  ) {}

  /** @throws {Rejection} 503 when the caller no longer waits; the errors of the work */
  async execute({ work, write }: ChangeRecords): Promise<unknown> {
    const begun: EffectsOfWrite[] = [];
    const { therapistId, otherPractices, deadline = Infinity } = work.origin;
    const value = await this.queue.write({
      ...write,
      therapistId,
      otherPractices,
      deadline,
      writer: SYSTEM,
      batching: 'none',
      size: 1,
      replayed: (reply) => reply,
      begin: () => ({ decide: (view) => this.decide(view, work, begun) }),
    });
    if (!work.isDryRun) for (const effect of begun) await effect.committed();
    return value;
  }

  private *decide(
    view: PracticeView,
    { origin, work, isDryRun, end }: RecordWork<unknown, unknown>,
    begun: EffectsOfWrite[],
  ): Resumable<Stored<unknown>> {
    yield* view.turn();
    const begin = (): EffectsOfWrite => {
      const effect = this.effects.ofOneWrite();
      begun.push(effect);
      return effect;
    };
    const { records, result } = yield* workInTransaction(async (transaction) => {
      const { database, deciders } = this;
      const records = new RecordTransaction(transaction, view, origin, { database, deciders, begin });
      return { records, result: await work(records) };
    });
    const { statements, finish, ...last } = end(result, records);
    const effects = records.effects();
    return {
      ...last,
      kind: 'stored',
      decided: records.decided,
      ignoresQuota: true,
      how: isDryRun ? 'ROLLBACK' : 'COMMIT',
      after: [...effects, ...statements],
      finishesFirst: true,
      finish: (results: readonly TextRow[][]) => finish(results.slice(effects.length)),
    };
  }
}
