// One write, by a caller or by a policy, in a group's transaction under the practice's lock. Other services are asked outside
// of any transaction, and then the write is decided again, so no lock is held while another service answers.

import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { reject } from '@practice/core';
import { asSystem } from '@practice/log';
import type { MirrorAnswer, Deletion, Caller } from '@practice/mirror';
import {
  DeletionAttempt,
  DeletionBarrier,
  removeMarks,
  FetchedRecords,
  beingDeleted,
  RecordOwners,
} from '@practice/mirror';
import { TenantDatabase } from '@practice/storage';
import type { Attempt } from './group/attempt.js';
import type { Grouped } from './group/member.js';
import { WriteQueue } from './group/write-queue.js';

/** The answers of other services so far. */
export interface RemoteKnowledge {
  readonly fetched: FetchedRecords;
  readonly attempt: DeletionAttempt;
}

/** How an attempt ends: with its result, or with the knowledge from other services that the next attempt needs. */
export type Outcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'unknown records'; readonly entries: readonly MirrorAnswer[] }
  | { readonly kind: 'unconfirmed deletions'; readonly deletions: readonly Deletion[] }
  | { readonly kind: 'being deleted'; readonly deletions: readonly Deletion[] };

export interface UnitOfWork<T>
  extends
    Caller,
    Pick<Grouped<T>, 'writer' | 'company' | 'weight' | 'setup' | 'claims' | 'deadline' | 'gone'> {
  /** @param now the time of everything that it decides */
  begin(known: RemoteKnowledge, now: string): Attempt<Outcome<T>> | Promise<Attempt<Outcome<T>>>;
}

const TRY_AGAIN_MS = 15;

@Injectable()
export class UnitsOfWork {
  constructor(
    private readonly database: TenantDatabase,
    private readonly queue: WriteQueue,
    private readonly owners: RecordOwners,
    private readonly barrier: DeletionBarrier,
  ) {}

  /** @throws {Rejection} when it is refused, or 503 when the practice, the database or another service does not allow it in time */
  async run<T>(unit: UnitOfWork<T>): Promise<T> {
    const known = { fetched: new FetchedRecords(), attempt: new DeletionAttempt() };
    try {
      let { company } = unit;
      for (;;) {
        const outcome = await this.queue.write<Outcome<T>>({
          ...unit,
          company,
          begin: (now) => unit.begin(known, now),
        });
        if (outcome.kind === 'done') return outcome.value;
        await this.learn(outcome, known, unit);
        // Now it also stores what it learned, which others would have to see.
        company = 'none';
      }
    } catch (error) {
      await this.giveUp(known.attempt, unit);
      throw error;
    }
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
    await this.database.reads.run(asSystem(therapistId), removeMarks(log, [token])).catch(() => undefined);
  }
}
