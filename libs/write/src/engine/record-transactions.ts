import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ChangeRecords } from './change-records.command.js';
import type { RecordOrigin, RecordTransaction } from './record-transaction.js';

export type { RecordOrigin, RecordTransaction } from './record-transaction.js';

/** Changes several records of the service and its private tables in one transaction, such as at a sign-up. */
@Injectable()
export class RecordTransactions {
  constructor(private readonly commands: CommandBus) {}

  /**
   * Runs `work` under the practice's lock and commits. Nothing is kept when `work` throws.
   * @throws {Rejection} 503 when the caller no longer waits; whatever `work` throws
   */
  run<T>(origin: RecordOrigin, work: (transaction: RecordTransaction) => Promise<T>): Promise<T> {
    const end = (value: T) => ({ statements: [], finish: () => value });
    return this.commands.execute(new ChangeRecords<T, T>({ origin, work, isDryRun: false, end }));
  }
}
