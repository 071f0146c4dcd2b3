// Work that waits for its group: it yields the values to load, and is resumed once they are there.

import type { PracticeKey, Statement, TextRow } from '@practice/log';
import type { Transaction } from '@practice/storage';

/** A kind of value: a single statement loads it for many keys and practices. */
export interface LoadKind<Value> {
  /** Loads of kinds with the same name share a statement. */
  readonly name: string;
  /** Its rows begin with the index of the key that they are for, from 1. */
  statement(service: string, keys: readonly PracticeKey[]): Statement;
  /** @param rows without their index */
  read(rows: readonly TextRow[], key: string): Value;
}

/** A value to load. A statement that is run for one attempt has no kind. */
export type Load = {
  readonly view: LoadedView;
  /** Identifies the value within its view. */
  readonly id: string;
} & (
  | { readonly kind: LoadKind<unknown>; readonly key: string }
  | { readonly kind: null; readonly statement: Statement }
);

/** The loaded values of a practice. */
export interface LoadedView {
  readonly log: PracticeLog;
  keep(id: string, value: unknown): void;
}

export interface PracticeLog {
  readonly service: string;
  readonly therapistId: string;
}

/** The reason why an attempt waits. */
export type Wait =
  /** Until these values are loaded. */
  | readonly Load[]
  /** Until its practice is locked and all earlier writes of the practice in the group are decided. */
  | 'turn'
  /** For a transaction without other writes, in which it is begun again. It is not resumed. */
  | 'retry unbatched'
  /** Until this work in the transaction is done. Only for a write that is not batched. */
  | ((transaction: Transaction) => Promise<void>);

/**
 * Work in steps: at each `yield` without a value it may pause, and with a value it waits.
 *
 * ```ts
 * const rows = yield* records(view, appointments, { column: 'date', values: [date] });
 * ```
 */
export type Resumable<T> = Generator<Wait | void, T, void>;

/** Waits for work in the transaction. Only for a write that is not batched. @returns the result of the work */
export function* workInTransaction<T>(work: (transaction: Transaction) => Promise<T>): Resumable<T> {
  const results: T[] = [];
  yield async (transaction) => void results.push(await work(transaction));
  return results[0] as T;
}

/** Gives up the transaction, so that the write is tried again in a transaction without other writes. */
export function* retryUnbatched(): Resumable<never> {
  yield 'retry unbatched';
  throw new Error('a write was resumed that is to be retried');
}
