// Archives in the database. Unless a comment says otherwise, the transaction acts for the practice of the archive.

import { Injectable } from '@nestjs/common';
import type { ExportArchive, OpenedArchive } from '@practice/contracts';
import type { Statement } from '@practice/log';
import { instant } from '@practice/resource';
import { RecordTransactions } from '@practice/write';
import { type EntityManager, Not, type UpdateQueryBuilder } from 'typeorm';
import { inFuture, inserting, rowsOf, statementOf, unbound, updating } from '../store/database.js';
import { Archive, ArchivePart } from '../store/practice.entities.js';
import { noteAlone } from '../store/security-events.js';
import { Transactions } from '../store/transactions.js';
import { type Member, standingIn } from '../users/access.js';

/** When a lease that begins now ends, in SQL. A gateway that makes an archive renews its lease earlier. */
export const lease = (): string => `now() + interval '30 seconds'`;

export type ArchiveKey = Pick<Archive, 'therapistId' | 'exportId'>;

/** The archive behind the hash that the transaction's caller has presented; null once it has ended. */
export const archiveByHash = (tables: EntityManager, secretHash: string): Promise<Archive | null> =>
  tables
    .createQueryBuilder(Archive, 'a')
    .where({ secretHash })
    .andWhere('coalesce(a.expiresAt, a.aliveUntil) > now()')
    .getOne();

/** Stores a part. A gateway may send a part twice, because it does not know whether the first message arrived. */
export async function insertPart(tables: EntityManager, part: ArchivePart): Promise<void> {
  const { therapistId, exportId, index } = part;
  await inserting(tables, ArchivePart, part).orIgnore().execute();
  await tables.update(Archive, { therapistId, exportId }, { parts: () => `greatest(parts, ${index + 1})` });
}

/**
 * Completes an archive: its link works from now on, and earlier archives of the practice are deleted.
 * @returns when the archive expires; undefined if it has ended meanwhile
 */
export async function completeArchive(
  tables: EntityManager,
  { therapistId, exportId }: ArchiveKey,
  size: number,
): Promise<Date | undefined> {
  const expiresAt = (): string => `date_trunc('milliseconds', now()) + interval '24 hours'`;
  const completed = updating(tables, Archive, { size: String(size), expiresAt })
    .where({ therapistId, exportId, aliveUntil: inFuture })
    .returning('expires_at AS expires');
  const [archive] = await rowsOf<{ expires: Date }>(completed);
  if (archive !== undefined) await tables.delete(Archive, { therapistId, exportId: Not(exportId) });
  return archive?.expires;
}

/** Ends the archives of a user or a practice: their links, and the work on incomplete archives. */
const ending = (tables: EntityManager, whose: Partial<Member>): UpdateQueryBuilder<Archive> =>
  updating(tables, Archive, {
    aliveUntil: () => 'least(alive_until, now())',
    expiresAt: () => 'CASE WHEN expires_at > now() THEN now() ELSE expires_at END',
  }).where(whose);

/** Ends archives. The transaction acts for the user or for the practice. */
export async function endArchives(tables: EntityManager, whose: Partial<Member>): Promise<void> {
  await ending(tables, whose).execute();
}

/** The statement that ends the archives that a member has requested in one practice. It is part of a write. */
export const endArchivesIn = ({ userId, therapistId }: Member): Statement =>
  statementOf(ending(unbound, { userId, therapistId }));

// Downloads of complete archives: the link is the permission.

/** The hash of the secret in a link, and the export in its path. */
type Link = Pick<ExportArchive, 'hash' | 'id'>;

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
      await noteAlone(this.records, { therapistId, kind: 'export_downloaded', userId, address });
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
