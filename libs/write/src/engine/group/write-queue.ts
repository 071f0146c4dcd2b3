// Forms groups of the writes that wait. A write starts at once if a group may start; writes that arrive while groups are in
// flight form the next groups. A practice is in one group at a time, so its writes keep their order within this process.

import { Injectable } from '@nestjs/common';
import { EventBus } from '@nestjs/cqrs';
import { busy, Rejection } from '@practice/core';
import { activeTraceparent } from '@practice/tracing';
import { Committed } from '../committed.js';
import { TenantDatabase } from '@practice/storage';
import { timeLeft } from '../time-left.js';
import type { Grouped, Outcome } from './member.js';
import { runGroup } from './run-group.js';
import { WaitingWrites, type Entry, type GroupKind } from './waiting-writes.js';
import { measureWaiting, observeGroup, recordGroup } from './write-metrics.js';

/** While groups in flight have fewer records than this, the machine is not busy: another group costs less than waiting. */
const FEW_RECORDS = 8;

@Injectable()
export class WriteQueue {
  private readonly waiting = new WaitingWrites();
  /** The number of groups that may start now: each takes a connection. */
  private readonly free: Record<GroupKind, number>;
  /** Connections that shared groups use only while few records are in flight: under load, fewer and larger groups cost less. */
  private readonly reserve: number;
  /** The records of the shared groups in flight. */
  private sharedRecords = 0;

  constructor(
    private readonly database: TenantDatabase,
    private readonly events: EventBus,
  ) {
    const { writeConnections } = database;
    const busy = Math.max(1, Math.floor(writeConnections / 4));
    const shared = Math.max(busy, Math.floor((writeConnections * 3) / 8));
    this.free = { shared, exclusive: Math.max(1, writeConnections - shared) };
    this.reserve = shared - busy;
    measureWaiting(this.waiting);
  }

  /** @throws {Rejection} when it is refused, or 503 when its caller no longer waits */
  write<T>(member: Grouped<T>): Promise<T> {
    return new Promise<T>((resolve, refuse) => {
      this.waiting.add({
        member,
        batching: member.batching,
        arrivedAt: performance.now(),
        traceparent: activeTraceparent(),
        resolve: resolve as (value: unknown) => void,
        refuse,
      });
      this.fill();
    });
  }

  /** Starts as many groups as may start. */
  private fill(): void {
    for (const kind of ['shared', 'exclusive'] as const) {
      while (this.mayStart(kind)) {
        const entries = this.waiting.take(kind);
        if (entries.length === 0) break;
        this.free[kind] -= 1;
        if (kind === 'shared') this.sharedRecords += sizeOf(entries);
        void this.carryOut(kind, entries);
      }
    }
  }

  private mayStart(kind: GroupKind): boolean {
    const isQuiet = kind === 'exclusive' || this.sharedRecords < FEW_RECORDS;
    return this.free[kind] > (isQuiet ? 0 : this.reserve);
  }

  private async carryOut(kind: GroupKind, entries: readonly Entry[]): Promise<void> {
    const writes = entries.filter(isAwaited);
    observeGroup(kind, writes);
    const began = Date.now();
    const members = writes.map(({ member }) => member);
    const waiting = kind === 'exclusive' ? 'wait' : 'skip';
    // An unexpected error is the outcome of every write, so the next group may start.
    const outcomes = await runGroup(this.database, members, waiting).catch((error: unknown) =>
      members.map((): Outcome => ({ kind: 'error', error })),
    );
    recordGroup(kind, writes, began);
    const again = writes.filter((write, index) => !settled(write, outcomes[index]));
    const contended = again.filter((write) => outcomes[writes.indexOf(write)]?.kind === 'lock not acquired');
    this.free[kind] += 1;
    if (kind === 'shared') this.sharedRecords -= sizeOf(entries);
    this.waiting.release(entries, again, new Set(contended.map(({ member }) => member.therapistId)));
    if (outcomes.some(({ kind }) => kind === 'value')) this.events.publish(new Committed());
    this.fill();
  }
}

const sizeOf = (entries: readonly Entry[]): number =>
  entries.reduce((sum, { member }) => sum + member.size, 0);

/** Refuses a write whose time is over before it has begun: its caller may send the request again. */
function isAwaited({ member: { deadline }, refuse }: Entry): boolean {
  if (timeLeft(deadline) > 0) return true;
  refuse(new Rejection(busy));
  return false;
}

/** Ends a write as its group has ended. @returns false if it must be carried out again */
function settled(write: Entry, outcome: Outcome | undefined): boolean {
  switch (outcome?.kind) {
    case 'value':
      write.resolve(outcome.value);
      return true;
    case 'error':
      write.refuse(outcome.error);
      return true;
    case 'lock not acquired':
      return false;
    default:
      write.batching = 'none';
      return false;
  }
}
