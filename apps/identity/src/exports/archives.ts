// Archives in the database. Unless it says otherwise, the transaction acts for the practice of the archive.

import type { Statement } from '@practice/log';
import type { ClientBase } from 'pg';
import type { Member } from '../sessions/sessions.js';

/** A gateway that makes an archive reports more often than this. */
const LEASE_SECONDS = 30;
const ARCHIVE_HOURS = 24;

export interface ArchiveKey {
  readonly therapistId: string;
  readonly exportId: string;
}

/** An archive that is being made, or complete and not expired. */
export interface Archive extends ArchiveKey {
  /** The owner who requested it. */
  readonly userId: string;
  readonly requestedAt: Date;
  readonly isComplete: boolean;
  readonly size: string;
}

export interface NewArchive extends ArchiveKey {
  readonly userId: string;
  readonly hash: string;
  readonly requestedAt: string;
}

export async function insertArchive(
  client: ClientBase,
  { therapistId, exportId, userId, hash, requestedAt }: NewArchive,
): Promise<void> {
  await client.query(
    `INSERT INTO identity.archives (therapist_id, export_id, user_id, secret_hash, requested_at, alive_until)
     VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))`,
    [therapistId, exportId, userId, hash, requestedAt, LEASE_SECONDS],
  );
}

/** The archive behind the hash that the transaction's caller has presented; undefined once it has ended. */
export async function archiveByHash(client: ClientBase, hash: string): Promise<Archive | undefined> {
  const { rows } = await client.query<Archive>(
    `SELECT therapist_id AS "therapistId", export_id AS "exportId", user_id AS "userId", requested_at AS "requestedAt",
       expires_at IS NOT NULL AS "isComplete", size
     FROM identity.archives WHERE secret_hash = $1 AND coalesce(expires_at, alive_until) > now()`,
    [hash],
  );
  return rows[0];
}

/** Gives the archive to one process. Returns whether it was free. */
export async function beginArchive(client: ClientBase, key: ArchiveKey): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE identity.archives SET is_begun = true, alive_until = now() + make_interval(secs => $3)
     WHERE therapist_id = $1 AND export_id = $2 AND NOT is_begun`,
    [key.therapistId, key.exportId, LEASE_SECONDS],
  );
  return rowCount === 1;
}

/** Renews the lease. */
export async function keepAlive(client: ClientBase, key: ArchiveKey): Promise<void> {
  await client.query(
    `UPDATE identity.archives SET alive_until = now() + make_interval(secs => $3)
     WHERE therapist_id = $1 AND export_id = $2 AND alive_until > now()`,
    [key.therapistId, key.exportId, LEASE_SECONDS],
  );
}

/** Stores a part. The gateway may send it again, as it does not know whether the first one arrived. */
export async function insertPart(
  client: ClientBase,
  { therapistId, exportId, index, sealed }: ArchiveKey & { readonly index: number; readonly sealed: Buffer },
): Promise<void> {
  await client.query(
    `INSERT INTO identity.archive_parts (therapist_id, export_id, index, sealed) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING`,
    [therapistId, exportId, index, sealed],
  );
  await client.query(
    'UPDATE identity.archives SET parts = greatest(parts, $3) WHERE therapist_id = $1 AND export_id = $2',
    [therapistId, exportId, index + 1],
  );
}

/** The sealed bytes of a part. */
export async function partOf(
  client: ClientBase,
  { therapistId, exportId }: ArchiveKey,
  index: number,
): Promise<Buffer | undefined> {
  const { rows } = await client.query<{ sealed: Buffer }>(
    'SELECT sealed FROM identity.archive_parts WHERE therapist_id = $1 AND export_id = $2 AND index = $3',
    [therapistId, exportId, index],
  );
  return rows[0]?.sealed;
}

/**
 * The link leads to the archive from now on, and earlier archives of the practice are deleted.
 * @returns when it expires; undefined if it has ended meanwhile
 */
export async function completeArchive(
  client: ClientBase,
  { therapistId, exportId }: ArchiveKey,
  size: number,
): Promise<Date | undefined> {
  const { rows } = await client.query<{ expires: Date }>(
    `UPDATE identity.archives
     SET size = $3, expires_at = date_trunc('milliseconds', now()) + make_interval(hours => ${ARCHIVE_HOURS})
     WHERE therapist_id = $1 AND export_id = $2 AND alive_until > now() RETURNING expires_at AS expires`,
    [therapistId, exportId, size],
  );
  if (rows.length > 0)
    await client.query('DELETE FROM identity.archives WHERE therapist_id = $1 AND export_id <> $2', [
      therapistId,
      exportId,
    ]);
  return rows[0]?.expires;
}

export async function deleteArchive(
  client: ClientBase,
  { therapistId, exportId }: ArchiveKey,
): Promise<void> {
  await client.query('DELETE FROM identity.archives WHERE therapist_id = $1 AND export_id = $2', [
    therapistId,
    exportId,
  ]);
}

/** Ends the archives of the user that the transaction acts for, in all practices: the links, and the work at incomplete ones. */
export async function endArchives(client: ClientBase, userId: string): Promise<void> {
  await client.query(END, [userId]);
}

/** The same in one practice. */
export const endArchivesIn = ({ userId, therapistId }: Member): Statement => ({
  text: `${END} AND therapist_id = $2`,
  values: [userId, therapistId],
});

const END = `UPDATE identity.archives
SET alive_until = least(alive_until, now()), expires_at = CASE WHEN expires_at > now() THEN now() ELSE expires_at END
WHERE user_id = $1`;

/** Ends the archives of the practice that the transaction acts for, the incomplete ones too. */
export async function endArchivesOfPractice(client: ClientBase, therapistId: string): Promise<void> {
  await client.query(
    `UPDATE identity.archives SET alive_until = least(alive_until, now()), expires_at = least(expires_at, now()) WHERE therapist_id = $1`,
    [therapistId],
  );
}
