// One practice in a group's transaction: a data loader for the values that the database had before the group, and the records
// that writes of the group have decided since.

import { changeIdOf } from '@practice/core';
import type { Statement, TextRow } from '@practice/log';
import type { Head } from '@practice/storage';
import type { IdempotencyRecord } from '../idempotency.js';
import type { Load, LoadKind, PracticeLog, Resumable } from './resumable.js';
import { StagedRecords } from './staged-records.js';

/** A practice under its lock. */
export interface LockedPractice {
  readonly head: Head;
  /** The practice has reached its quota of storage. */
  readonly isFull: boolean;
  /** The practice has reached its quota of responses under idempotency keys. */
  readonly isKeptFull: boolean;
  /** The disk of the database is almost full. */
  readonly isDiskLow: boolean;
}

/** The name of the kind of load that finds the response under an Idempotency-Key. */
export const IDEMPOTENCY = 'idempotency records';

export class PracticeView {
  readonly staged = new StagedRecords();
  /** Responses that writes of the group store, by Idempotency-Key. */
  readonly idempotency = new Map<string, IdempotencyRecord>();
  private readonly values = new Map<string, unknown>();
  private lock: LockedPractice | undefined;

  /** @param change the id of the change that its writes are part of, if they are not changes of their own */
  constructor(
    readonly log: PracticeLog,
    readonly change?: string,
  ) {}

  get isLocked(): boolean {
    return this.lock !== undefined;
  }

  /** The practice as it was when it was locked. @throws {Error} before that: only a write that has its turn may depend on it */
  get locked(): LockedPractice {
    if (this.lock === undefined) throw new Error(`${this.log.therapistId} is not locked yet`);
    return this.lock;
  }

  lockedAs(lock: LockedPractice): void {
    this.lock = lock;
  }

  /** The time of everything that the group decides. */
  get now(): string {
    return this.locked.head.lockedAt;
  }

  /** The id of the change that the next write of the practice becomes: its first event follows the events of the group so far. */
  get nextChange(): string {
    return (
      this.change ?? changeIdOf(this.log.service, this.locked.head.position + this.staged.events.length + 1)
    );
  }

  /** The loads of values of a kind, for `load` or `prefetch`. */
  loadsOf(kind: LoadKind<unknown>, keys: readonly string[]): Load[] {
    return keys.map((key) => ({ view: this, id: `${kind.name} ${key}`, kind, key }));
  }

  /** The load of a statement's rows. */
  statementLoad(statement: Statement): Load {
    const id = `${statement.text} ${JSON.stringify(statement.values)}`;
    return { view: this, id, kind: null, statement };
  }

  /** Waits until all of these values are loaded, at once. */
  *load(loads: readonly Load[]): Resumable<void> {
    const missing = loads.filter(({ id }) => !this.values.has(id));
    if (missing.length > 0) yield missing;
  }

  /** The values of a kind as the database had them before the group. */
  *get<Value>(kind: LoadKind<Value>, keys: readonly string[]): Resumable<Value[]> {
    const loads = this.loadsOf(kind, keys);
    yield* this.load(loads);
    return loads.map(({ id }) => this.values.get(id) as Value);
  }

  /** The rows of a statement, which runs once in the transaction. */
  *rows(statement: Statement): Resumable<readonly TextRow[]> {
    const load = this.statementLoad(statement);
    yield* this.load([load]);
    return this.values.get(load.id) as readonly TextRow[];
  }

  /** Waits until it is the turn of the write to decide. */
  *turn(): Resumable<void> {
    yield 'turn';
  }

  /** A value that has been prefetched with the lock. */
  prefetched<Value>(kind: LoadKind<Value>, key: string): Value {
    return this.values.get(`${kind.name} ${key}`) as Value;
  }

  keep(id: string, value: unknown): void {
    this.values.set(id, value);
  }

  /** Forgets loaded records, because work in the transaction may have changed them. Idempotency records stay: the work claims no key. */
  forget(): void {
    for (const id of this.values.keys()) if (!id.startsWith(IDEMPOTENCY)) this.values.delete(id);
  }
}
