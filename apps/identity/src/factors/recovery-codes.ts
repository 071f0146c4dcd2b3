// Recovery codes: each takes the place of an authenticator's code once. Only hashes are stored.

import { randomBytes } from 'node:crypto';
import { IsNull } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { Access } from '../store/practice.entities.js';
import { tokenHash } from '../store/secrets.js';
import { RecoveryCode } from '../store/session.entities.js';

const COUNT = 10;
/** So many that a fast hash suffices. */
const CODE_BYTES = 16;
/** The shorter codes were made before. */
const CODE = /^(?:[0-9a-f]{32}|[0-9a-f]{20})$/;

/** Makes ten codes for the user that the transaction acts for. Earlier ones no longer count. */
export async function replaceRecoveryCodes(tables: EntityManager, userId: string): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, () => randomBytes(CODE_BYTES).toString('hex'));
  await tables.delete(RecoveryCode, { userId });
  await tables.insert(
    RecoveryCode,
    codes.map((code) => ({ userId, codeHash: hashOf(userId, code) })),
  );
  return codes.map((code) => code.replace(/.{4}(?=.)/g, '$&-'));
}

/**
 * Uses a code up.
 * @param owner.held the practice whose hold it ends: only a code from before the hold proves anything there
 * @returns whether the user had it
 */
export async function useRecoveryCode(
  tables: EntityManager,
  { userId, held }: { readonly userId: string; readonly held?: string },
  given: string,
): Promise<boolean> {
  const code = given.replace(/[\s-]/g, '').toLowerCase();
  if (!CODE.test(code)) return false;
  const used = tables
    .createQueryBuilder()
    .delete()
    .from(RecoveryCode)
    .where({ userId, codeHash: hashOf(userId, code) });
  if (held === undefined) used.andWhere({ retiredAt: IsNull() });
  else {
    const hold = tables.createQueryBuilder(Access, 'a').select('a.heldSince');
    const since = hold.where('a.userId = :userId AND a.therapistId = :held').getQuery();
    used.andWhere(`retired_at <= (${since})`, { userId, held });
  }
  return (await used.execute()).affected === 1;
}

const hashOf = (userId: string, code: string): string => tokenHash(`${userId} ${code}`);
