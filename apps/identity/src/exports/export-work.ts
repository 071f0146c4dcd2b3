// The steps of a gateway that makes an archive. A step for an export that has ended is refused, so the gateway stops.

import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type BegunExport, type ExportWork, PART_BYTES, practiceExports } from '@practice/contracts';
import { LOGGER, type Logger } from '@practice/process';
import { instant } from '@practice/resource';
import { CrossTenantConnection } from '@practice/storage';
import { RecordTransactions } from '@practice/write';
import { IDENTITY_CONFIG, type IdentityConfig } from '../identity.config.js';
import { inFuture, statementOf, tablesOn, unbound } from '../store/database.js';
import { Archive } from '../store/practice.entities.js';
import { RepeatedWork } from '../store/repeated-work.js';
import { Transactions } from '../store/transactions.js';
import { standingIn } from '../users/access.js';
import { archiveByHash, type ArchiveKey, completeArchive, insertPart, lease } from './archives.js';

type Step<Name extends ExportWork['step']> = { readonly requestId: string } & Extract<
  ExportWork,
  { readonly step: Name }
>;

/** The size of all archives is checked once per this many parts. */
const PARTS_BETWEEN_COUNTS = 32;
const MEGABYTE = 1024 * 1024;

const NO_SPACE = 'the space for archives is used up';
const NO_OWNER = 'the person who requested it is no longer an owner of the practice';

@Injectable()
export class ExportWorkSteps {
  constructor(
    private readonly transactions: Transactions,
    private readonly records: RecordTransactions,
    private readonly crossTenant: CrossTenantConnection,
    @Inject(IDENTITY_CONFIG) private readonly config: Pick<IdentityConfig, 'archiveMegabytes'>,
  ) {}

  /**
   * @param sealed the bytes of a part
   * @returns the begun work, or whether the work continues; false if the export has ended
   */
  async take(step: Step<ExportWork['step']>, sealed: Buffer): Promise<BegunExport | boolean> {
    const { hash } = step;
    const archive = await this.transactions.run({ presented: hash }, (tables) => archiveByHash(tables, hash));
    if (archive === null) return false;
    // A gateway repeats a step when it has not received the reply.
    if (archive.expiresAt !== null) return step.step === 'complete';
    switch (step.step) {
      case 'begin':
        return this.begin(archive);
      case 'continue':
        return this.continue(archive, step);
      case 'part':
        return this.part(archive, step, sealed);
      case 'complete':
        return this.complete(archive, step);
      case 'fail':
        return this.end(archive, step);
    }
  }

  /** Begins the work. Only the gateway that sent the call has its secret. False if it has ended meanwhile. */
  private async begin(archive: Archive): Promise<BegunExport | false> {
    const { therapistId, exportId } = archive;
    const open = { therapistId, exportId, aliveUntil: inFuture };
    const { affected } = await this.transactions.run({ therapistId }, (tables) =>
      tables.update(Archive, open, { isBegun: true, aliveUntil: lease }),
    );
    return affected === 1 && { id: exportId, requestedAt: instant(archive.requestedAt.getTime()) };
  }

  /** Renews the lease and notes the progress. Ends the export if its requester is no longer an owner. */
  private async continue(archive: Archive, { requestId, progress }: Step<'continue'>): Promise<boolean> {
    const { therapistId, exportId } = archive;
    const standing = await this.transactions.run({ therapistId }, async (tables) => {
      await tables.update(Archive, { therapistId, exportId, aliveUntil: inFuture }, { aliveUntil: lease });
      return standingIn(tables, archive);
    });
    if (standing?.role !== 'owner' || standing.isHeld)
      return this.end(archive, { requestId, problem: NO_OWNER });
    await this.records.run({ therapistId, requestId }, async (transaction) => {
      await transaction.change(practiceExports, exportId, {
        progress: Math.floor(progress / 10) * 10,
      });
    });
    return true;
  }

  /** Stores a part. Ends the export if all archives together take too much space. */
  private async part(archive: Archive, { requestId, index }: Step<'part'>, sealed: Buffer): Promise<boolean> {
    const { therapistId, exportId } = archive;
    if (index % PARTS_BETWEEN_COUNTS === 0 && (await this.isFull()))
      return this.end(archive, { requestId, problem: NO_SPACE });
    const part = { therapistId, exportId, index, sealed };
    await this.transactions.run({ therapistId }, (tables) => insertPart(tables, part));
    return true;
  }

  private async complete(archive: Archive, { requestId, size }: Step<'complete'>): Promise<boolean> {
    const { therapistId, exportId } = archive;
    return this.records.run({ therapistId, requestId }, async (transaction) => {
      const expires = await completeArchive(tablesOn(transaction.client), archive, size);
      if (expires === undefined) return false;
      const done = { status: 'done', progress: 100, size, expires_at: instant(expires.getTime()) };
      return transaction.change(practiceExports, exportId, done);
    });
  }

  /** Marks an export as failed and deletes its parts. @returns false: the work does not continue */
  async end(
    { therapistId, exportId }: ArchiveKey,
    { requestId, problem }: { readonly requestId: string; readonly problem: string },
  ): Promise<false> {
    await this.records.run({ therapistId, requestId }, async (transaction) => {
      await transaction.change(practiceExports, exportId, { status: 'failed', problem });
      await tablesOn(transaction.client).delete(Archive, { therapistId, exportId });
    });
    return false;
  }

  private async isFull(): Promise<boolean> {
    const sum = unbound.createQueryBuilder(Archive, 'a').select('coalesce(sum(a.parts), 0)');
    const [[parts] = []] = await this.crossTenant.run(statementOf(sum));
    return Number(parts) * PART_BYTES >= this.config.archiveMegabytes * MEGABYTE;
  }
}

const EVERY_MS = 2_000;

/** The problem of an export that `EndExports` ends. A complete export stays done and does not get it. */
const STOPPED = 'the process that made the archive has stopped, or the access of the requester has ended';

/** Deletes archives that have expired, and ends exports whose process no longer reports. */
@Injectable()
export class EndExports extends RepeatedWork {
  constructor(
    private readonly crossTenant: CrossTenantConnection,
    private readonly steps: ExportWorkSteps,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(EVERY_MS, 'ended exports were not deleted', logger);
  }

  protected async work(): Promise<void> {
    const ended = unbound
      .createQueryBuilder(Archive, 'a')
      .select(['a.therapistId', 'a.exportId'])
      .where('coalesce(a.expiresAt, a.aliveUntil) <= now()');
    const rows = await this.crossTenant.run(statementOf(ended));
    await this.forEach(rows, (therapistId, exportId) =>
      this.steps.end({ therapistId, exportId }, { requestId: randomUUID(), problem: STOPPED }),
    );
  }
}
