// One write, by a caller or by a policy: a transaction under the practice's lock. Other services are asked outside of any
// transaction, and then the write is decided again, so no lock is held while another service answers.

import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { EventBus } from '@nestjs/cqrs';
import { reject } from '@practice/core';
import type { Statement } from '@practice/event-store';
import type { MirrorEntry } from '../projections/mirror-table.js';
import { DeletionAttempt, DeletionBarrier } from '../references/deletion-barrier.js';
import { removeMarks } from '../references/deletion-marks.js';
import type { Deletion } from '../references/deletion-marks.js';
import { FetchedRecords } from '../references/fetched-records.js';
import { beingDeleted, RecordOwners } from '../references/record-owners.js';
import type { Caller } from '../references/record-owners.js';
import { Committed } from '../relay.js';
import { busy } from '../storage/database-errors.js';
import { TenantDatabase } from '../storage/tenant-database.js';
import { inTransaction } from '../storage/transaction.js';
import type { Transaction } from '../storage/transaction.js';
import { PracticeQueue } from './practice-queue.js';

/** The answers of other services so far. */
export interface RemoteKnowledge {
  readonly fetched: FetchedRecords;
  readonly attempt: DeletionAttempt;
}

/** How an attempt ends: with its result, or with the knowledge from other services that the next attempt needs. */
export type Outcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'unknown records'; readonly entries: readonly MirrorEntry[] }
  | { readonly kind: 'unconfirmed deletions'; readonly deletions: readonly Deletion[] }
  | { readonly kind: 'being deleted'; readonly deletions: readonly Deletion[] };

export interface UnitOfWork<T> extends Caller {
  readonly sessionSetup?: readonly Statement[];
  /** Decides and ends the transaction; a transaction that it leaves open is rolled back. */
  attempt(transaction: Transaction, known: RemoteKnowledge): Promise<Outcome<T>>;
}

const TRY_AGAIN_MS = 15;

@Injectable()
export class UnitsOfWork {
  constructor(
    private readonly database: TenantDatabase,
    private readonly queue: PracticeQueue,
    private readonly owners: RecordOwners,
    private readonly barrier: DeletionBarrier,
    private readonly events: EventBus,
  ) {}

  /** @throws {Rejection} when it is refused, or 503 when the practice, the database or another service does not allow it in time */
  async run<T>(unit: UnitOfWork<T>): Promise<T> {
    const known = { fetched: new FetchedRecords(), attempt: new DeletionAttempt() };
    try {
      for (;;) {
        const outcome = await this.inTurn(unit, known);
        if (outcome.kind === 'done') {
          this.events.publish(new Committed());
          return outcome.value;
        }
        await this.learn(outcome, known, unit);
      }
    } catch (error) {
      await this.giveUp(known.attempt, unit);
      throw error;
    }
  }

  private inTurn<T>(unit: UnitOfWork<T>, known: RemoteKnowledge): Promise<Outcome<T>> {
    const { therapistId, deadline, sessionSetup } = unit;
    const log = { service: this.database.service, therapistId, sessionSetup };
    return this.queue.run(therapistId, () => {
      // The caller has been answered 503, and may have sent the request again.
      if (deadline < Date.now()) reject(busy);
      return inTransaction(this.database.writes, log, (transaction) => unit.attempt(transaction, known));
    });
  }

  private async learn(
    outcome: Exclude<Outcome<never>, { kind: 'done' }>,
    known: RemoteKnowledge,
    caller: Caller,
  ): Promise<void> {
    switch (outcome.kind) {
      case 'unknown records':
        return this.owners.fetch(outcome.entries, caller, known.fetched);
      case 'unconfirmed deletions':
        return this.barrier.confirm(outcome.deletions, known.attempt, caller);
      case 'being deleted': {
        const [first] = outcome.deletions;
        if (Date.now() + TRY_AGAIN_MS >= caller.deadline)
          reject(beingDeleted(first?.resource ?? '', first?.id));
        return pause(TRY_AGAIN_MS);
      }
    }
  }

  /** Takes back the marks of an attempt that failed. If that fails too, they are abandoned, which others find out by their age. */
  private async giveUp({ token }: DeletionAttempt, { therapistId }: Caller): Promise<void> {
    if (token === null) return;
    const log = { service: this.database.service, therapistId };
    await this.database.reads.run(therapistId, removeMarks(log, [token])).catch(() => undefined);
  }
}
