// The words between a write and its group.

import type { Steps } from '@practice/core';
import type { Statement, TextRow } from '@practice/log';
import type { AccessRow } from '@practice/storage';
import type { DecidedRecords } from '../decided-records.js';
import type { Answer } from '../idempotency.js';
import type { PracticeView } from './practice-view.js';

/**
 * Which other writes may share the transaction of a write: any; none of its own practice, as it reads what is stored in ways
 * that no other write may change meanwhile; or none at all.
 */
export type Company = 'any' | 'other practices' | 'none';

/** A write in its group's transaction. */
export interface Attempt<T> {
  /**
   * Decides on what is known of the practice. It is asked again once missing answers are known, so it must depend on the view
   * only.
   * @throws {Rejection} when the write is refused
   */
  decide(view: PracticeView): Steps<Step<T>>;
}

export type Step<T> =
  /** The view was asked for something that must be loaded first. */
  | { readonly kind: 'missing' }
  /** There is nothing to store. */
  | { readonly kind: 'settled'; readonly value: T }
  | Stored<T>;

export interface Stored<T> {
  readonly kind: 'stored';
  readonly decided?: DecidedRecords;
  /** It follows from an event of another service. A quota does not refuse it, as that would hold up the events behind it. */
  readonly isReaction?: true;
  /** Run before deleted records are removed. */
  readonly before?: readonly Statement[];
  /** Run once everything else is stored. */
  readonly after?: readonly Statement[];
  /** Rows for the access log: confidential records that the response shows. */
  readonly accesses?: readonly AccessRow[];
  /** A dry run is rolled back. It has no company. */
  readonly how: 'COMMIT' | 'ROLLBACK';
  /** Whether `finish` runs before the transaction ends, as it may refuse the write. Such a write has no company. */
  readonly finishesFirst?: boolean;
  /** @param results of `before` and `after` */
  finish(results: readonly TextRow[][]): T;
  /** The answer to keep under the request's key. */
  answerOf?(value: T): Answer;
  /** Adds to an error of the database what is known about the write. */
  explain?(error: unknown): unknown;
}

export const MISSING: Step<never> = { kind: 'missing' };
