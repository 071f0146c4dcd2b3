// The steps of a gateway that makes an archive. A step for an export that has ended is refused, so the gateway stops.

import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type BegunExport, PART_BYTES, practiceExports } from '@practice/contracts';
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

type Step = { readonly requestId: string; readonly hash: string };

/** All archives are counted for each of this many parts. */
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

  /** Gives the work to one process. Undefined if the export has ended, or another one has begun it. */
  async begin({ hash }: Step): Promise<BegunExport | undefined> {
    const archive = await this.unfinished(hash);
    if (archive === undefined) return undefined;
    const { therapistId, exportId } = archive;
    const { affected } = await this.in(archive, (tables) =>
      tables.update(Archive, { therapistId, exportId, isBegun: false }, { isBegun: true, aliveUntil: lease }),
    );
    return affected === 1
      ? { id: archive.exportId, requestedAt: instant(archive.requestedAt.getTime()) }
      : undefined;
  }

  /**
   * Renews the lease and notes the progress. Ends the export if its requester is no longer an owner.
   * @param progress percent
   * @returns whether the work continues
   */
  async continue({ hash, requestId }: Step, progress: number): Promise<boolean> {
    const archive = await this.unfinished(hash);
    if (archive === undefined) return false;
    const { therapistId, exportId } = archive;
    const standing = await this.in(archive, async (tables) => {
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

  /** Stores a part; ends the export if all archives together take too much. @returns whether the work continues */
  async part({ hash, requestId }: Step, index: number, sealed: Buffer): Promise<boolean> {
    const archive = await this.unfinished(hash);
    if (archive === undefined) return false;
    if (index % PARTS_BETWEEN_COUNTS === 0 && (await this.isFull()))
      return this.end(archive, { requestId, problem: NO_SPACE });
    await this.in(archive, (tables) => insertPart(tables, archive, { index, sealed }));
    return true;
  }

  /** @param size bytes of the archive */
  async complete({ hash, requestId }: Step, size: number): Promise<boolean> {
    const archive = await this.unfinished(hash);
    if (archive === undefined) return false;
    const { therapistId, exportId } = archive;
    return this.records.run({ therapistId, requestId }, async (transaction) => {
      const expires = await completeArchive(tablesOn(transaction.client), archive, size);
      if (expires === undefined) return false;
      const done = { status: 'done', progress: 100, size, expires_at: instant(expires.getTime()) };
      return transaction.change(practiceExports, exportId, done);
    });
  }

  async fail({ hash, requestId }: Step, problem: string): Promise<boolean> {
    const archive = await this.unfinished(hash);
    return archive !== undefined && this.end(archive, { requestId, problem });
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

  private async unfinished(hash: string): Promise<Archive | undefined> {
    const archive = await this.transactions.run({ presented: hash }, (tables) => archiveByHash(tables, hash));
    return archive !== null && archive.expiresAt === null ? archive : undefined;
  }

  private in<T>(
    { therapistId }: ArchiveKey,
    work: Parameters<typeof this.transactions.run<T>>[1],
  ): Promise<T> {
    return this.transactions.run({ therapistId }, work);
  }

  private async isFull(): Promise<boolean> {
    const sum = unbound.createQueryBuilder(Archive, 'a').select('coalesce(sum(a.parts), 0)');
    const [[parts] = []] = await this.crossTenant.run(statementOf(sum));
    return Number(parts) * PART_BYTES >= this.config.archiveMegabytes * MEGABYTE;
  }
}

const EVERY_MS = 2_000;

/** For a complete export, which stays done, it has no effect. */
const STOPPED = 'the process that made the archive has stopped, or the access of the requester has ended';

/** Deletes archives that have expired, and ends exports whose process no longer reports. */
@Injectable()
export class EndExports extends RepeatedWork {
  constructor(
    private readonly crossTenant: CrossTenantConnection,
    private readonly steps: ExportWorkSteps,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(EVERY_MS, 'ended exports could not be listed', logger);
  }

  protected async work(): Promise<void> {
    const ended = unbound
      .createQueryBuilder(Archive, 'a')
      .select(['a.therapistId', 'a.exportId'])
      .where('coalesce(a.expiresAt, a.aliveUntil) <= now()');
    const rows = await this.crossTenant.run(statementOf(ended));
    for (const [therapistId, exportId] of rows)
      await this.steps
        .end(
          { therapistId: String(therapistId), exportId: String(exportId) },
          { requestId: randomUUID(), problem: STOPPED },
        )
        // One that cannot be ended must not keep the others.
        .catch((err: unknown) => this.logger.error({ err, exportId }, 'an ended export was not deleted'));
  }
}
