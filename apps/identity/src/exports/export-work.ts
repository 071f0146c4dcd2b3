// The steps of a gateway that makes an archive. A step for an export that has ended is refused, so the gateway stops.

import { Inject, Injectable } from '@nestjs/common';
import { PART_BYTES, practiceExports } from '@practice/contracts';
import type { BegunExport } from '@practice/contracts';
import { instant } from '@practice/resource';
import { CrossTenantConnection } from '@practice/storage';
import { RecordTransactions } from '@practice/write';
import { IDENTITY_CONFIG } from '../identity.config.js';
import type { IdentityConfig } from '../identity.config.js';
import { standingIn } from '../users/access.js';
import { Transactions } from '../store/transactions.js';
import {
  archiveByHash,
  beginArchive,
  completeArchive,
  deleteArchive,
  insertPart,
  keepAlive,
} from './archives.js';
import type { Archive, ArchiveKey } from './archives.js';

/** How the work of an export goes on. */
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
    const isFree = await this.in(archive, (client) => beginArchive(client, archive));
    return isFree ? { id: archive.exportId, requestedAt: instant(archive.requestedAt.getTime()) } : undefined;
  }

  /**
   * Renews the lease and notes the progress. Ends the export if its requester is no longer an owner.
   * @param progress percent
   * @returns whether the work goes on
   */
  async continue({ hash, requestId }: Step, progress: number): Promise<boolean> {
    const archive = await this.unfinished(hash);
    if (archive === undefined) return false;
    const standing = await this.in(archive, async (client) => {
      await keepAlive(client, archive);
      return standingIn(client, archive);
    });
    if (standing?.role !== 'owner' || standing.isHeld)
      return this.end(archive, { requestId, problem: NO_OWNER });
    await this.records.run({ therapistId: archive.therapistId, requestId }, async (transaction) => {
      await transaction.change(practiceExports, archive.exportId, {
        progress: Math.floor(progress / 10) * 10,
      });
    });
    return true;
  }

  /** Stores a part; ends the export if all archives together take too much. @returns whether the work goes on */
  async part({ hash, requestId }: Step, index: number, sealed: Buffer): Promise<boolean> {
    const archive = await this.unfinished(hash);
    if (archive === undefined) return false;
    if (index % PARTS_BETWEEN_COUNTS === 0 && (await this.isFull()))
      return this.end(archive, { requestId, problem: NO_SPACE });
    await this.in(archive, (client) => insertPart(client, { ...archive, index, sealed }));
    return true;
  }

  /** @param size bytes of the archive */
  async complete({ hash, requestId }: Step, size: number): Promise<boolean> {
    const archive = await this.unfinished(hash);
    if (archive === undefined) return false;
    const { therapistId, exportId } = archive;
    return this.records.run({ therapistId, requestId }, async (transaction) => {
      const expires = await completeArchive(transaction.client, archive, size);
      if (expires === undefined) return false;
      const done = { status: 'done', progress: 100, size, expires_at: instant(expires.getTime()) };
      return transaction.change(practiceExports, exportId, done);
    });
  }

  async fail({ hash, requestId }: Step, problem: string): Promise<boolean> {
    const archive = await this.unfinished(hash);
    return archive !== undefined && this.end(archive, { requestId, problem });
  }

  /** Marks an export as failed and deletes its parts. @returns false: the work does not go on */
  async end(
    { therapistId, exportId }: ArchiveKey,
    { requestId, problem }: { readonly requestId: string; readonly problem: string },
  ): Promise<false> {
    await this.records.run({ therapistId, requestId }, async (transaction) => {
      await transaction.change(practiceExports, exportId, { status: 'failed', problem });
      await deleteArchive(transaction.client, { therapistId, exportId });
    });
    return false;
  }

  private async unfinished(hash: string): Promise<Archive | undefined> {
    const archive = await this.transactions.run({ presented: hash }, (client) => archiveByHash(client, hash));
    return archive?.isComplete === false ? archive : undefined;
  }

  private in<T>(
    { therapistId }: ArchiveKey,
    work: Parameters<typeof this.transactions.run<T>>[1],
  ): Promise<T> {
    return this.transactions.run({ therapistId }, work);
  }

  private async isFull(): Promise<boolean> {
    const text = 'SELECT coalesce(sum(parts), 0) FROM identity.archives';
    const [[parts] = []] = await this.crossTenant.run({ text, values: [] });
    return Number(parts) * PART_BYTES >= this.config.archiveMegabytes * MEGABYTE;
  }
}
