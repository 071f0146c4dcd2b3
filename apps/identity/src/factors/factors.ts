// Second factors of the user that the transaction acts for.

import { randomUUID } from 'node:crypto';
import { IsNull, Raw } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { inPast, rowsOf } from '../store/database.js';
import { Challenge, Factor } from '../store/session.entities.js';

/** A user has so many at most. */
const MAX_FACTORS = 10;
const CHALLENGE_SECONDS = 300;

/**
 * Adds a factor that counts once its first code was right. Enrollments that were not finished within an hour are deleted.
 * @returns whether the user has not had the maximum already
 */
export async function insertFactor(
  tables: EntityManager,
  factor: Pick<Factor, 'userId' | 'id' | 'friendlyName' | 'sealedSecret'>,
): Promise<boolean> {
  const { userId } = factor;
  const createdAt = Raw((column) => `${column} < now() - interval '1 hour'`);
  await tables.delete(Factor, { userId, verifiedAt: IsNull(), createdAt });
  if ((await tables.countBy(Factor, { userId })) >= MAX_FACTORS) return false;
  await tables.insert(Factor, {
    ...factor,
    lastStep: '0',
    createdAt: () => 'now()',
    updatedAt: () => 'now()',
  });
  return true;
}

/** The factor, locked until the transaction ends: of two requests with one code, the second sees that it was used. */
export const lockedFactor = (tables: EntityManager, userId: string, id: string): Promise<Factor | null> =>
  tables.findOne(Factor, { where: { userId, id }, lock: { mode: 'pessimistic_write' } });

/** Opens a challenge. Returns its id, and when it expires, in seconds since the epoch. */
export async function insertChallenge(
  tables: EntityManager,
  userId: string,
  factorId: string,
): Promise<{ id: string; expires_at: number }> {
  await tables.delete(Challenge, { userId, expiresAt: inPast });
  await tables.update(Factor, { userId, id: factorId }, { lastChallengedAt: () => 'now()' });
  const id = randomUUID();
  const opened = tables
    .createQueryBuilder()
    .insert()
    .into(Challenge)
    .values({ userId, id, factorId, expiresAt: () => `now() + interval '${CHALLENGE_SECONDS} seconds'` })
    .returning('floor(extract(epoch FROM expires_at))::float8 AS until');
  const [challenge] = await rowsOf<{ until: number }>(opened);
  return { id, expires_at: challenge?.until ?? 0 };
}

/** The factor counts from its first right code on; enrollments that were not finished are deleted. */
export async function passFactor(
  tables: EntityManager,
  { userId, id, verifiedAt }: Factor,
  step: number,
): Promise<void> {
  const verified = { verifiedAt: () => 'now()', updatedAt: () => 'now()' };
  await tables.update(
    Factor,
    { userId, id },
    { lastStep: String(step), ...(verifiedAt === null && verified) },
  );
  await tables.delete(Factor, { userId, verifiedAt: IsNull() });
}
