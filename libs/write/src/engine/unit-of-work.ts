// One write, by a caller or by a policy, in a group's transaction under the practice's lock. Other services are asked outside
// of any transaction, and then the write is decided again, so no lock is held while another service answers.

import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { reject } from '@practice/core';
import { asSystem } from '@practice/log';
import type { Caller } from '@practice/mirror';
import {
  DeletionAttempt,
  DeletionBarrier,
  removeMarks,
  FetchedRecords,
  beingDeleted,
  RecordOwners,
} from '@practice/mirror';
import { TenantDatabase } from '@practice/storage';
import type { AttemptResult, RemoteKnowledge } from './attempt-result.js';
import { markLoads } from './confirm-deletions.js';
import type { Attempt } from './group/attempt.js';
import type { Grouped } from './group/member.js';
import { WriteQueue } from './group/write-queue.js';
import { MARGIN_MS } from './time-left.js';

/** With `repeatable`, the result is a response: a repeated request gets the stored one. */
export interface UnitOfWork<T> extends Caller, Omit<Grouped<T>, 'begin' | 'prefetch' | 'replayed'> {
  /** @param now the time of everything that it decides */
  begin(known: RemoteKnowledge, now: string): Attempt<AttemptResult<T>> | Promise<Attempt<AttemptResult<T>>>;
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
      let { batching } = unit;
      for (;;) {
        const result = await this.queue.write<AttemptResult<T>>({
          // Before the spread, since new members after it are slow on Node 20.
          prefetch: (view) => markLoads(view, known.attempt),
          replayed: (reply) => ({ kind: 'done', value: reply as T }),
          ...unit,
          batching,
          begin: (now) => unit.begin(known, now),
        });
        if (result.kind === 'done') return result.value;
        await this.ask(result, known, { ...unit, deadline: unit.deadline - MARGIN_MS });
        // The next attempt may also remove marks, which other writes would have to see.
        batching = 'none';
      }
    } catch (error) {
      await this.giveUp(known.attempt, unit);
      throw error;
    }
  }

  /** Asks other services for the facts that the next attempt needs. */
  private async ask(
    result: Exclude<AttemptResult<never>, { kind: 'done' }>,
    known: RemoteKnowledge,
    caller: Caller,
  ): Promise<void> {
    switch (result.kind) {
      case 'unknown records':
        return this.owners.fetch(result.entries, caller, known.fetched);
      case 'unconfirmed deletions':
        return this.barrier.confirm(result.deletions, known.attempt, caller);
      case 'being deleted': {
        const [first] = result.deletions;
        if (Date.now() + TRY_AGAIN_MS >= caller.deadline)
          reject(beingDeleted(first?.resource ?? '', first?.id));
        return pause(TRY_AGAIN_MS);
      }
    }
  }

  /** Removes the marks of an attempt that failed. If that fails too, the age of the marks shows that they are abandoned. */
  private async giveUp({ token }: DeletionAttempt, { therapistId }: Caller): Promise<void> {
    if (token === null) return;
    const log = { service: this.database.service, therapistId };
    await this.database.reads.run(asSystem(therapistId), removeMarks(log, [token])).catch(() => undefined);
  }
}
