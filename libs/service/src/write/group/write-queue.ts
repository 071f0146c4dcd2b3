// Forms groups of the writes that wait. A write starts at once if a group may start; writes that arrive while groups are in
// flight form the next groups. A practice is in one group at a time, so its writes keep their order within this process.

import { Injectable } from '@nestjs/common';
import { EventBus } from '@nestjs/cqrs';
import { Rejection } from '@practice/core';
import { Committed } from '../../relay.js';
import { busy } from '../../storage/database-errors.js';
import { TenantDatabase } from '../../storage/tenant-database.js';
import type { Grouped, Verdict } from './member.js';
import { runGroup } from './run-group.js';
import { WaitingWrites } from './waiting-writes.js';
import type { Entry, GroupKind } from './waiting-writes.js';

type WaitingWrite = Extract<Entry, { kind: 'write' }>;

@Injectable()
export class WriteQueue {
  private readonly waiting = new WaitingWrites();
  /** The number of groups that may start now: each takes a connection. */
  private readonly free: Record<GroupKind, number>;

  constructor(
    private readonly database: TenantDatabase,
    private readonly events: EventBus,
  ) {
    const { writeConnections } = database;
    const shared = Math.max(1, Math.floor(writeConnections / 4));
    this.free = { shared, exclusive: Math.max(1, writeConnections - shared) };
  }

  /** @throws {Rejection} when it is refused, or 503 when its caller no longer waits */
  write<T>(member: Grouped<T>): Promise<T> {
    const { therapistId, weight, company } = member;
    return new Promise<T>((resolve, refuse) => {
      const settle = { resolve: resolve as (value: unknown) => void, refuse };
      this.waiting.add({ kind: 'write', therapistId, weight, company, member, ...settle });
      this.fill();
    });
  }

  /** Runs `work` while no write of the practice is in flight in this process. */
  exclusively<T>(therapistId: string, work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, refuse) => {
      const run = (): Promise<void> => work().then(resolve, refuse);
      this.waiting.add({ kind: 'work', therapistId, weight: 1, company: 'none', run });
      this.fill();
    });
  }

  /** Starts as many groups as may start. */
  private fill(): void {
    for (const kind of ['shared', 'exclusive'] as const) {
      while (this.free[kind] > 0) {
        const entries = this.waiting.take(kind);
        if (entries.length === 0) break;
        this.free[kind] -= 1;
        void this.carryOut(kind, entries);
      }
    }
  }

  private async carryOut(kind: GroupKind, entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) if (entry.kind === 'work') await entry.run();
    const writes = entries.filter((entry) => entry.kind === 'write' && isAwaited(entry)) as WaitingWrite[];
    const members = writes.map(({ member }) => member);
    const verdicts = await runGroup(this.database, members, kind === 'exclusive' ? 'wait' : 'skip');
    const again = writes.filter((write, index) => !settled(write, verdicts[index]));
    const held = again.filter((write) => verdicts[writes.indexOf(write)]?.kind === 'held');
    this.free[kind] += 1;
    this.waiting.release(entries, again, new Set(held.map(({ therapistId }) => therapistId)));
    if (verdicts.some(({ kind }) => kind === 'value')) this.events.publish(new Committed());
    this.fill();
  }
}

/** Refuses a write whose caller has been answered 503 meanwhile, and may have sent the request again. */
function isAwaited({ member, refuse }: WaitingWrite): boolean {
  if (member.deadline >= Date.now()) return true;
  refuse(new Rejection(busy));
  return false;
}

/** Answers a write as its group has ended. @returns false if it must be carried out again */
function settled(write: WaitingWrite, verdict: Verdict | undefined): boolean {
  switch (verdict?.kind) {
    case 'value':
      write.resolve(verdict.value);
      return true;
    case 'error':
      write.refuse(verdict.error);
      return true;
    case 'held':
      return false;
    default:
      write.company = 'none';
      return false;
  }
}
