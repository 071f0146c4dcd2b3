// Records who reads confidential records, before the response is sent. Reads that arrive while a statement is under way share
// the next one, of any practices.

import { Inject, Injectable } from '@nestjs/common';
import { Rejection } from '@practice/core';
import { actToWrite, asSystem, pipeline, withClient } from '@practice/event-store';
import type { Statement } from '@practice/event-store';
import { LOGGER } from '@practice/process';
import type { Logger } from '@practice/process';
import type { Accessed } from '@practice/query';
import type { Resource } from '@practice/resource';
import { isDatabaseUnavailable, notRecorded } from '../storage/database-errors.js';
import { TenantDatabase } from '../storage/tenant-database.js';
import { accessRows } from './access.js';
import type { Accessor } from './access.js';
import { addAccesses } from './access-log-table.js';
import type { AccessRow } from './access-log-table.js';

interface Waiting {
  readonly row: AccessRow;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Rows of one statement. Each has at most 1,000 ids. */
const AT_ONCE = 100;

@Injectable()
export class AccessLog {
  private readonly waiting: Waiting[] = [];
  private isWriting = false;

  constructor(
    private readonly database: TenantDatabase,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Records an access to records of a resource. Does nothing if the resource is not confidential, or no record was read.
   * @throws {Rejection} PM503 if it cannot be recorded; then the response must not be sent
   */
  async record(resource: Resource, accessor: Accessor, accessed: Accessed): Promise<void> {
    const [row] = accessRows(resource, accessor, accessed);
    if (row === undefined) return;
    const recorded = new Promise<void>((resolve, reject) => {
      this.waiting.push({ row, resolve, reject });
    });
    if (!this.isWriting) void this.writeAll();
    return recorded;
  }

  private async writeAll(): Promise<void> {
    this.isWriting = true;
    try {
      while (this.waiting.length > 0) await this.write(this.waiting.splice(0, AT_ONCE));
    } finally {
      this.isWriting = false;
    }
  }

  private async write(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.store(batch.map(({ row }) => row));
      for (const { resolve } of batch) resolve();
    } catch (err) {
      // One row that Postgres refuses must not refuse the reads of others.
      if (batch.length > 1 && !isDatabaseUnavailable(err)) {
        for (const one of batch) await this.write([one]);
        return;
      }
      this.logger.error({ err }, 'reads of confidential records could not be recorded, and were refused');
      for (const { reject } of batch) reject(new Rejection(notRecorded));
    }
  }

  private store(rows: readonly AccessRow[]): Promise<void> {
    const { service, writes } = this.database;
    const practices = [...new Set(rows.map(({ therapist_id: id }) => id))].sort();
    return withClient(writes, async (client, discard) => {
      try {
        await pipeline(client, [
          sql('BEGIN'),
          actToWrite(practices.map(asSystem)),
          addAccesses(service, rows),
          sql('COMMIT'),
        ]);
      } catch (error) {
        // Postgres rolls back when the connection ends.
        discard(error as Error);
        throw error;
      }
    });
  }
}

const sql = (text: string): Statement => ({ text, values: [] });
