// Recovery codes: each replaces the code of an authenticator app once. Only hashes are stored.

import { randomBytes } from 'node:crypto';
import { createRecoveryCodes } from '@practice/contracts';
import type { ArgumentsOf } from '@practice/resource';
import { type FunctionHandler, Handles, type WritingCall } from '@practice/write';
import { type EntityManager, IsNull } from 'typeorm';
import { problems, refuse } from '../calls/problems.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { recoveryCodesMail } from '../notices/templates.js';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { deleting, tablesOn } from '../store/database.js';
import { Access } from '../store/practice.entities.js';
import { tokenHash } from '../store/secrets.js';
import { noteCall } from '../store/security-events.js';
import { RecoveryCode } from '../store/session.entities.js';
import { actForCaller } from '../store/transactions.js';
import { addressOf, isEnrolled } from '../users/users.js';
import { requireSecondFactor } from './factors.js';

const COUNT = 10;
/** Enough random bytes for a fast hash. */
const CODE_BYTES = 16;
const CODE = /^[0-9a-f]{32}$/;

/** Makes ten codes for the user that the transaction acts for. Earlier codes become invalid. */
async function replaceRecoveryCodes(tables: EntityManager, userId: string): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, () => randomBytes(CODE_BYTES).toString('hex'));
  await tables.delete(RecoveryCode, { userId });
  const hashed = codes.map((code) => ({ userId, codeHash: hashOf(userId, code) }));
  await tables.insert(RecoveryCode, hashed);
  return codes.map((code) => code.replace(/.{4}(?=.)/g, '$&-'));
}

/**
 * Uses a code up.
 * @param owner.held the practice whose hold the code ends: only a code that was retired before the hold is accepted
 * @returns whether the user had the code
 */
export async function useRecoveryCode(
  tables: EntityManager,
  { userId, held }: { readonly userId: string; readonly held?: string },
  given: string,
): Promise<boolean> {
  const code = given.replace(/[\s-]/g, '').toLowerCase();
  if (!CODE.test(code)) return false;
  const used = deleting(tables, RecoveryCode, { userId, codeHash: hashOf(userId, code) });
  if (held === undefined) used.andWhere({ retiredAt: IsNull() });
  else {
    const hold = tables.createQueryBuilder(Access, 'a').select('a.heldSince');
    const since = hold.where('a.userId = :userId AND a.therapistId = :held').getQuery();
    used.andWhere(`retired_at <= (${since})`, { userId, held });
  }
  return (await used.execute()).affected === 1;
}

const hashOf = (userId: string, code: string): string => tokenHash(`${userId} ${code}`);

@Handles(createRecoveryCodes)
export class CreateRecoveryCodes implements FunctionHandler<typeof createRecoveryCodes> {
  constructor(
    private readonly recent: RecentSignIn,
    private readonly mail: OutgoingMail,
  ) {}

  /** @throws {Rejection} when the user has no second factor, or this session has not passed it */
  async call(
    proof: ArgumentsOf<typeof createRecoveryCodes>,
    { caller, transaction, afterCommit }: WritingCall,
  ) {
    const { userId, address = '' } = caller;
    const tables = tablesOn(transaction.client);
    await this.recent.require({ identity: caller, address }, proof);
    await actForCaller(tables, userId);
    const email = (await addressOf(tables, userId)) ?? refuse(problems.userGone);
    if (!(await isEnrolled(tables, userId))) refuse(problems.noFactor);
    await requireSecondFactor(tables, caller);
    const codes = await replaceRecoveryCodes(tables, userId);
    await noteCall(transaction, 'recovery_codes_created', { caller });
    afterCommit(() => this.mail.sendLater(recoveryCodesMail(email)));
    return codes.map((code) => ({ code }));
  }
}
