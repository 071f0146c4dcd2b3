// Records reads of confidential records, before the response is sent. Reads of all practices that arrive while a statement runs share
// the next statement.

import { Inject, Injectable } from '@nestjs/common';
import { Rejection, type Identity } from '@practice/core';
import { storeAtOnce, type TextRow } from '@practice/log';
import { LOGGER, type Logger } from '@practice/process';
import { SEARCH, type Accessed, type SqlQuery } from '@practice/query';
import { isConfidential, type Resource } from '@practice/resource';
import { isDatabaseUnavailable, notRecorded, TenantDatabase, addAccesses } from '@practice/storage';
import { accessRows, NONE, unrecordedIn, type Accessor, type Written } from './access.js';
import type { AccessRow } from '@practice/storage';

/** A read and its caller. */
export interface Reading extends Accessor {
  readonly resource: Resource;
  /** A query for only the column `accessed`; absent if an error does not depend on confidential values. */
  readonly attempt?: SqlQuery | undefined;
}

interface Waiting {
  readonly row: AccessRow;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** The maximum number of rows in one statement. Each row has at most 1,000 ids. */
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
   * Runs a read of a resource, and records the records that it depends on before it returns. A failed read is recorded too, if the
   * failure may depend on confidential values.
   * @param run its one row ends with the column `accessed`, if the resource is confidential
   * @throws {Rejection} PM503 if the read cannot be recorded; otherwise the error of `run`
   */
  async reading<Found extends { readonly rows: readonly TextRow[] }>(
    run: () => Promise<Found>,
    { resource, by, method, attempt }: Reading,
  ): Promise<Found> {
    const accessor = { by, method };
    const found = await run().catch(async (error: unknown) => {
      if (attempt !== undefined) await this.record(resource, accessor, await this.concerned(by, attempt));
      throw error;
    });
    if (isConfidential(resource)) await this.record(resource, accessor, accessedOf(found.rows));
    return found;
  }

  /**
   * Records the access by a write, unless the row was stored with the write.
   * @param refused returns the records that a refusal may depend on; called if the response does not name them
   * @throws {Rejection} PM503 if the access cannot be recorded; then the response must not be sent
   */
  async recordWrite(
    resources: readonly Resource[],
    accessor: Accessor,
    {
      response,
      refused,
    }: { readonly response: Written; readonly refused: () => Promise<Accessed> | Accessed },
  ): Promise<void> {
    const { status, unrecorded } = response;
    if (status >= 500) return;
    for (const resource of resources.filter(isConfidential)) {
      const accessed =
        status >= 400
          ? (unrecorded?.get(resource.name) ?? (isKnown(unrecorded) ? NONE : await refused()))
          : unrecordedIn(response, resource);
      if (accessed !== undefined) await this.record(resource, accessor, accessed);
    }
  }

  /** The records that a refused request is about: the column `accessed` of a query. */
  async concerned(by: Identity, query: SqlQuery): Promise<Accessed> {
    const { therapistId, practiceRole: role } = by;
    // If this query fails as well, the row has no ids.
    return this.database.reads.run({ therapistId, role }, query).then(accessedOf, () => SEARCH);
  }

  /**
   * Records an access to records of a resource. Does nothing if the resource is not confidential, or no record was read or searched.
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
      // A row that Postgres refuses must not cause the refusal of other reads.
      if (batch.length > 1 && !isDatabaseUnavailable(err)) {
        for (const one of batch) await this.write([one]);
        return;
      }
      this.logger.error({ err }, 'reads of confidential records could not be recorded, and were refused');
      for (const { reject } of batch) reject(new Rejection(notRecorded));
    }
  }

  private store(rows: readonly AccessRow[]): Promise<unknown> {
    const { service, writes } = this.database;
    const practices = [...new Set(rows.map(({ therapist_id: id }) => id))].sort();
    return storeAtOnce(writes, practices, [addAccesses(service, rows)]);
  }
}

/** Whether a response names the confidential records that it depends on. */
const isKnown = (unrecorded: Written['unrecorded']): boolean => (unrecorded?.size ?? 0) > 0;

/** The value of the column `accessed`, which is the last one. */
const accessedOf = ([row]: readonly TextRow[]): Accessed => JSON.parse(row?.at(-1) ?? 'null') as Accessed;
