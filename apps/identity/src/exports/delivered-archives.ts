// Downloads of complete archives: the link is the permission.

import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { OpenedArchive } from '@practice/contracts';
import { instant } from '@practice/resource';
import { RecordTransactions } from '@practice/write';
import { standingIn } from '../users/access.js';
import { note } from '../store/security-events.js';
import { Transactions } from '../store/transactions.js';
import { Archive, ArchivePart } from '../store/practice.entities.js';
import { archiveByHash } from './archives.js';

/** A link as it was presented. */
export interface Link {
  readonly hash: string;
  /** The export in the path. */
  readonly id: string;
}

@Injectable()
export class DeliveredArchives {
  constructor(
    private readonly transactions: Transactions,
    private readonly records: RecordTransactions,
  ) {}

  /** The archive behind a link. A download is recorded before it begins. Undefined if the link has ended. */
  async open(
    link: Link,
    { address, isDownload }: { readonly address: string; readonly isDownload: boolean },
  ): Promise<OpenedArchive | undefined> {
    const archive = await this.complete(link);
    if (archive === undefined) return undefined;
    const { therapistId, userId, size, requestedAt } = archive;
    const standing = await this.transactions.run({ therapistId }, (tables) => standingIn(tables, archive));
    if (standing?.role !== 'owner' || standing.isHeld) return undefined;
    if (isDownload)
      await this.records.run({ therapistId, requestId: randomUUID() }, (transaction) =>
        note(transaction, { therapistId, kind: 'export_downloaded', userId, address }),
      );
    return { size: Number(size), requestedAt: instant(requestedAt.getTime()) };
  }

  /** The sealed bytes of a part. */
  async part(link: Link, index: number): Promise<Buffer | undefined> {
    const archive = await this.complete(link);
    if (archive === undefined) return undefined;
    const { therapistId, exportId } = archive;
    const part = await this.transactions.run({ therapistId }, (tables) =>
      tables.findOneBy(ArchivePart, { therapistId, exportId, index }),
    );
    return part?.sealed;
  }

  private async complete({ hash, id }: Link): Promise<Archive | undefined> {
    const archive = await this.transactions.run({ presented: hash }, (tables) => archiveByHash(tables, hash));
    const isComplete = archive !== null && archive.expiresAt !== null;
    return isComplete && archive.exportId === id ? archive : undefined;
  }
}
