// A transaction over several records, as the work in it sees it.

import type { Identity } from '@practice/core';
import type { Decider, Resource, Row } from '@practice/resource';
import type { ClientBase } from 'pg';
import type { Origin } from './write.command.js';

/** Whose records are changed, and the request that causes it. */
export interface RecordOrigin extends Pick<Origin, 'therapistId' | 'requestId' | 'traceparent' | 'reason'> {
  /** Other practices that the work may change with `within`. All are locked before the work, in the order of their ids. */
  readonly otherPractices?: readonly string[] | undefined;
  /** The signed-in user, if there is one. */
  readonly by?: Identity;
  /** Milliseconds since the epoch, after which the caller no longer waits, and the transaction does not begin. */
  readonly deadline?: number;
}

/** The parts of a transaction that the work may use until the commit. */
export interface RecordTransaction {
  /** The transaction's connection, for private tables of the service. */
  readonly client: ClientBase;
  /** When the transaction began; the time of its events. */
  readonly now: string;
  /** When the practice is erased; null unless it is closed. */
  readonly eraseAt: string | null;
  /** The id of the change, once it has an event. */
  readonly changeId: string | undefined;
  /** Creates a record; its events are stored with the commit. */
  create(resource: Resource, record: Row): Promise<void>;
  /** As `create`, by a decider of its own, for a creation that callers cannot request. */
  createBy(decider: Decider, record: Row): Promise<void>;
  /**
   * Changes a record; columns that keep their value cause no event.
   * @returns whether the record exists
   * @throws {Rejection} when a rule forbids the change
   */
  change(resource: Resource, id: string, values: Row): Promise<boolean>;
  /** As `change`, by a decider of its own, for a change that callers cannot request; it may change read-only columns. */
  changeBy(decider: Decider, id: string, values: Row): Promise<boolean>;
  /**
   * Does work in another practice as well, and stores its changes with the same commit. Afterwards the transaction acts for its own
   * practice again.
   * @throws {Rejection} PM503 for a practice that is not among the `otherPractices` of the origin
   */
  within<T>(therapistId: string, work: (there: RecordTransaction) => Promise<T>): Promise<T>;
  /** As `within`, in a practice that this transaction creates. No other transaction knows its id, so it need not be locked before. */
  withinNew<T>(therapistId: string, work: (there: RecordTransaction) => Promise<T>): Promise<T>;
}
