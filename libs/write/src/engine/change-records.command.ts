import { Command } from '@nestjs/cqrs';
import type { Statement } from '@practice/log';
import type { Stored } from './group/attempt.js';
import type { Grouped } from './group/member.js';
import type { RecordOrigin, RecordTransaction } from './record-transaction.js';

/** Work that changes records, and how its transaction ends. */
export interface RecordWork<Result, Value> {
  readonly origin: RecordOrigin;
  /** Does the work, under the practice's lock. */
  work(transaction: RecordTransaction): Promise<Result>;
  readonly isDryRun: boolean;
  /** Statements to run once everything is stored, and what follows from their results. */
  end(result: Result, transaction: RecordTransaction): RecordEnd<Value>;
}

export interface RecordEnd<Value> extends Pick<
  Stored<Value>,
  'finish' | 'beforeCommit' | 'idempotencyRecord'
> {
  readonly statements: readonly Statement[];
}

/** The other parts of the write that does the work. */
export type RecordWrite = Pick<Grouped<unknown>, 'gone' | 'repeatable' | 'requiresOpen'>;

/** A change of several records that does not come as a request for one resource, such as a sign-up. */
export class ChangeRecords<Result = unknown, Value = unknown> extends Command<Value> {
  constructor(
    readonly work: RecordWork<Result, Value>,
    readonly write: RecordWrite = {},
  ) {
    super();
  }
}
