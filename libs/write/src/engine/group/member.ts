import type { Gone } from '@practice/core';
import type { ActingRole, Statement } from '@practice/log';
import { instant } from '@practice/resource';
import type { Attempt, Company } from './attempt.js';

/** A write that waits for its group. */
export interface Grouped<T> {
  readonly therapistId: string;
  /** The role in which it writes, the same for the writes of a practice in a group: row-level security compares it with rows. */
  readonly writer: ActingRole;
  /** Milliseconds since the epoch, after which the caller no longer waits. */
  readonly deadline: number;
  /** Whether its caller is gone. */
  readonly gone?: Gone | undefined;
  readonly company: Company;
  /** The number of records that it writes, as far as that is known. */
  readonly weight: number;
  /** Run first in the transaction; only for a write without company. */
  readonly setup?: readonly Statement[];
  /** The Idempotency-Key, claimed until the transaction ends. */
  readonly claims?: string | undefined;
  /** Begins an attempt, before the transaction. @param now the time of everything that it decides */
  begin(now: string): Attempt<T> | Promise<Attempt<T>>;
}

/** The members of a group, with their attempts. */
export interface Begun {
  readonly members: readonly Grouped<unknown>[];
  /** The attempt of each member, or why it has none. */
  readonly attempts: readonly PromiseSettledResult<Attempt<unknown>>[];
  /** The time at which the attempts began. */
  readonly now: string;
}

/** Begins the attempts of a group. */
export async function begun(members: readonly Grouped<unknown>[]): Promise<Begun> {
  const now = instant(Date.now());
  const attempts = await Promise.allSettled(members.map(async (member) => member.begin(now)));
  return { members, attempts, now };
}

/** How a group ends for one of its members. */
export type Verdict =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'error'; readonly error: unknown }
  /** Another transaction holds its practice, or the practice has never written. */
  | { readonly kind: 'held' }
  /** It must be carried out in a transaction of its own. */
  | { readonly kind: 'apart' };
