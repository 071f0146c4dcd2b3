import { Injectable } from '@nestjs/common';
import { reject } from '@practice/core';
import type { Identity, Problem } from '@practice/core';
import type { RecordTransaction } from '@practice/write';
import { refuse, wrongFactorCode } from '../calls/problems.js';
import { addressOf } from '../users/users.js';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { recoveryCodeUsedMail } from '../notices/templates.js';
import type { EntityManager } from 'typeorm';
import { tablesOn } from '../store/database.js';
import { FactorLock } from '../factors/factor-lock.js';
import { useRecoveryCode } from '../factors/recovery-codes.js';
import { noteCall } from '../store/security-events.js';
import { releaseAccess } from './held-access.js';

/** A code that was mailed to the address of the account, or a recovery code. A stranger who knows the password has neither. */
export interface HoldProof {
  readonly nonce: string | null;
  readonly recovery_code: string | null;
}

/** Ends the hold on the access of a person who proves to be the owner of the account. */
@Injectable()
export class EndHold {
  constructor(
    private readonly recent: RecentSignIn,
    private readonly lock: FactorLock,
    private readonly mail: OutgoingMail,
  ) {}

  /**
   * The transaction acts for the caller, and for the practice of `caller`.
   * @throws {Rejection} 42501 without a proof; when the proof is wrong, which counts as a failed attempt
   */
  async execute(there: RecordTransaction, caller: Identity, proof: HoldProof): Promise<void> {
    const { address = '' } = caller;
    const tables = tablesOn(there.client);
    if (proof.recovery_code !== null) await this.useCode(tables, caller, proof.recovery_code);
    else if (!(await this.recent.isProven({ identity: caller, address }, { nonce: proof.nonce })))
      reject(held);
    await releaseAccess(tables, caller);
    await noteCall(there, 'access_released', { caller });
  }

  private async useCode(
    tables: EntityManager,
    { userId, therapistId }: Identity,
    code: string,
  ): Promise<void> {
    await this.lock.take(userId);
    if (!(await useRecoveryCode(tables, { userId, held: therapistId }, code))) refuse(wrongFactorCode);
    await this.lock.forget(userId);
    const email = (await addressOf(tables, userId)) ?? '';
    this.mail.sendLater(async () => recoveryCodeUsedMail(email));
  }
}

const held: Problem = {
  status: 403,
  code: '42501',
  message:
    'your access to this practice is held, since an owner of another practice has reset your second factors',
  hint: 'Ask for a code with GET /auth/v1/reauthenticate and send it as `nonce`, or send a recovery code as `recovery_code`. An owner of this practice can also call reset_factors for you.',
};
