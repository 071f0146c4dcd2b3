// The contract between a write and the group in whose transaction it is decided.

import type { Statement, TextRow } from '@practice/log';
import type { AccessRow } from '@practice/storage';
import type { DecidedRecords } from '../decided-records.js';
import type { IdempotencyRecord } from '../idempotency.js';
import type { Resumable } from './resumable.js';
import type { PracticeView } from './practice-view.js';

/** Which other writes may share the transaction of a write: any, only writes of other practices, or none. */
export type Batching = 'any' | 'other practices' | 'none';

/** A write in its group's transaction. */
export interface Attempt<T> {
  /**
   * Decides on the state of the practice. It begins before the turn of the write, so that the values that it waits for are
   * prefetched together with the values of other writes. If an earlier write of the group then changes the practice, the decision
   * is discarded and begun again on the new state. So it must depend only on the view.
   * @throws {Rejection} when the write is refused
   */
  decide(view: PracticeView): Resumable<Step<T>>;
}

export type Step<T> =
  /** There is nothing to store. */
  { readonly kind: 'settled'; readonly value: T } | Stored<T>;

export interface Stored<T> {
  readonly kind: 'stored';
  readonly decided?: DecidedRecords;
  /**
   * Whether it may exceed the quota: the service itself writes it. A refusal would block the events behind it, or leave a part of a
   * refused batch.
   */
  readonly ignoresQuota?: true;
  /** Whether its response is kept under the key even without space: a refusal would leave a part of a refused batch. */
  readonly keepsAlways?: true;
  /** Run before deleted records are removed. */
  readonly before?: readonly Statement[];
  /** Run once everything else is stored. */
  readonly after?: readonly Statement[];
  /** Rows for the access log: confidential records that the response shows. */
  readonly accesses?: readonly AccessRow[];
  /** A dry run is rolled back. It is not batched. */
  readonly how: 'COMMIT' | 'ROLLBACK';
  /** Whether `finish` runs before the transaction ends, because it may refuse the write. Such a write is not batched. */
  readonly finishesFirst?: boolean;
  /** Run last before a commit; an error rolls back. Only with `finishesFirst`. */
  beforeCommit?(): Promise<void>;
  /** @param results of `before` and `after` */
  finish(results: readonly TextRow[][]): T;
  /** The response to store under the request's key. */
  idempotencyRecord?(value: T): IdempotencyRecord;
  /** Adds facts about the write to an error of the database. */
  explain?(error: unknown): unknown;
}
