import type { Gone } from '@practice/core';
import type { ActingRole, Statement } from '@practice/log';
import type { RestResponse, Repeatable } from '@practice/query';
import { instant } from '@practice/resource';
import type { Attempt, Batching } from './attempt.js';
import type { Load } from './resumable.js';
import type { PracticeView } from './practice-view.js';

/** A write that waits for its group. */
export interface Grouped<T> {
  readonly therapistId: string;
  /** The role in which it writes, the same for the writes of a practice in a group: row-level security compares it with rows. */
  readonly writer: ActingRole;
  /** Other practices that it locks and may change. Only for a write that is not batched. */
  readonly otherPractices?: readonly string[] | undefined;
  /** Milliseconds since the epoch, after which the caller no longer waits. */
  readonly deadline: number;
  /** Whether its caller has disconnected. */
  readonly gone?: Gone | undefined;
  readonly batching: Batching;
  /** The number of records that it writes, as far as that is known. */
  readonly size: number;
  /** Run first in the transaction; only for a write that is not batched. */
  readonly setup?: readonly Statement[];
  /** Given if the request has an Idempotency-Key, which is claimed until the transaction ends. */
  readonly repeatable?: Repeatable | undefined;
  /** The result if a response is stored under the key. Required with `repeatable`. */
  replayed?(reply: RestResponse): T;
  /** Whether it is refused while the practice is closed. */
  readonly requiresOpen?: boolean;
  /** Values to load with the lock. */
  prefetch?(view: PracticeView): readonly Load[];
  /** Begins an attempt, before the transaction. @param now the time of everything that it decides */
  begin(now: string): Attempt<T> | Promise<Attempt<T>>;
}

/** The members of a group, with their attempts. */
export interface Begun {
  readonly members: readonly Grouped<unknown>[];
  /** The attempt of each member, or why it has none. */
  readonly attempts: readonly PromiseSettledResult<Attempt<unknown>>[];
}

/** Begins the attempts of a group. */
export async function begun(members: readonly Grouped<unknown>[]): Promise<Begun> {
  const now = instant(Date.now());
  const attempts = await Promise.allSettled(members.map(async (member) => member.begin(now)));
  return { members, attempts };
}

/** How a group ends for one of its members. */
export type Outcome =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'error'; readonly error: unknown }
  /** Another transaction has locked its practice, or the practice has never written. */
  | { readonly kind: 'lock not acquired' }
  /** It must be carried out in a transaction without other writes. */
  | { readonly kind: 'retry unbatched' };
