// Holds on access: an owner who resets a member's second factors decides for one practice only. The member cannot enter other
// practices with a new sign-in until one of their owners agrees or the member gives another proof. Sessions that have passed the
// removed factor continue. Personal access tokens continue too, because a password does not give access to them.

import { Injectable } from '@nestjs/common';
import { resetFactors } from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import { actForGroup, type Statement } from '@practice/log';
import type { ArgumentsOf } from '@practice/resource';
import { type FunctionHandler, Handles, type RecordTransaction, type WritingCall } from '@practice/write';
import { type EntityManager, In, IsNull, Not } from 'typeorm';
import { FREE } from '../store/raw-sql.js';
import { problems, refuse } from '../calls/problems.js';
import { FactorLock } from '../factors/factors.js';
import { useRecoveryCode } from '../factors/recovery-codes.js';
import { GatewayAnnouncements } from '../notices/announcements.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { factorsResetMail, memberResetMail, recoveryCodeUsedMail } from '../notices/templates.js';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { Sessions } from '../sessions/sessions.js';
import { inFuture, statementOf, tablesOn, unbound, updating } from '../store/database.js';
import { Access } from '../store/practice.entities.js';
import { Passkey } from '../store/passkey.entities.js';
import { noteCall } from '../store/security-events.js';
import { Factor, RecoveryCode } from '../store/session.entities.js';
import { actForCaller } from '../store/transactions.js';
import { type Member, notMember, practicesOf, standingIn } from '../users/access.js';
import { addressOf, canPassSecondFactor } from '../users/users.js';

/** If no other owner of a practice can end the hold, it ends after this time. */
const SOLE_OWNER_HOLD = `now() + interval '7 days'`;

/** Owners of the practice of the changed row. */
const OWNERS = `FROM identity.access AS o WHERE o.therapist_id = access.therapist_id AND o.role = 'owner'`;

/** SQL for whether another owner can act in the practice: an owner who is held cannot. */
const HAS_OTHER_OWNER = `EXISTS (SELECT ${OWNERS} AND o.user_id <> access.user_id AND (o.held_until IS NULL OR o.held_until <= now()))`;

interface Reset {
  /** The person whose factors are reset. */
  readonly userId: string;
  /** The practices of the person, except the practice whose owner resets the factors. */
  readonly elsewhere: readonly string[];
  /** The owner. */
  readonly by: string;
}

/** Holds the person's access to other practices, except where the same owner is an owner too. */
async function holdElsewhere(tables: EntityManager, { userId, elsewhere, by }: Reset): Promise<void> {
  if (elsewhere.length === 0) return;
  await act(tables, elsewhere);
  await updating(tables, Access, {
    heldSince: () => 'now()',
    heldUntil: () => `CASE WHEN ${HAS_OTHER_OWNER} THEN 'infinity' ELSE ${SOLE_OWNER_HOLD} END`,
  })
    .where({ userId, therapistId: In(elsewhere) })
    .andWhere(FREE)
    .andWhere(`NOT EXISTS (SELECT ${OWNERS} AND o.user_id = :by)`, { by })
    .execute();
  await act(tables, []);
}

async function act(tables: EntityManager, practices: readonly string[]): Promise<void> {
  const { text, values } = actForGroup(practices);
  await tables.query(text, [...values]);
}

/**
 * Limits the holds of a practice in which no other owner can end them. Run the statement after a change of a role, in a transaction that
 * acts for the practice.
 */
export const limitHolds = (therapistId: string): Statement =>
  statementOf(
    updating(unbound, Access, { heldUntil: () => SOLE_OWNER_HOLD })
      .where({ therapistId })
      .andWhere(`held_until = 'infinity' AND NOT ${HAS_OTHER_OWNER}`),
  );

/** Ends the hold on a person's access to the practice that the transaction acts for. Returns whether there was one. */
async function releaseAccess(tables: EntityManager, { userId, therapistId }: Member): Promise<boolean> {
  const held = { userId, therapistId, role: Not(IsNull()), heldUntil: inFuture };
  return (await tables.update(Access, held, { heldUntil: null })).affected === 1;
}

/**
 * Lets a member who has lost the second factor sign in with the password again. The owner decides for one practice
 * only: the member's access to other practices is held until one of their owners does the same, or the member gives another proof.
 */
@Handles(resetFactors)
export class ResetFactors implements FunctionHandler<typeof resetFactors> {
  constructor(
    private readonly recent: RecentSignIn,
    private readonly sessions: Sessions,
    private readonly gateways: GatewayAnnouncements,
    private readonly mail: OutgoingMail,
  ) {}

  /** @throws {Rejection} when the person is the caller, no member, or has no second factor, or when the sign-in is not recent */
  async call({ user_id: userId, ...proof }: ArgumentsOf<typeof resetFactors>, call: WritingCall) {
    const { caller, transaction } = call;
    const tables = tablesOn(transaction.client);
    const { therapistId, address = '' } = caller;
    if (userId === caller.userId) reject(yourself);
    if ((await standingIn(tables, { userId, therapistId })) === undefined) reject(notMember);
    // After these checks: a nonce can be used once.
    await this.recent.require({ identity: caller, address }, proof);
    const isReleased = await releaseAccess(tables, { userId, therapistId });
    await actForCaller(tables, caller.userId);
    const owner = (await addressOf(tables, caller.userId)) ?? '';
    await actForCaller(tables, userId);
    const member = (await addressOf(tables, userId)) ?? '';
    if (!isReleased) await this.reset(userId, call);
    const outcome = isReleased ? ('released' as const) : ('reset' as const);
    await noteCall(transaction, isReleased ? 'access_released' : 'factors_reset', { caller, userId });
    call.afterCommit(() => {
      this.mail.sendLater(factorsResetMail({ owner, member, outcome }));
      this.mail.sendLater(memberResetMail({ owner, member, outcome }));
    });
    return { user_id: userId, outcome };
  }

  /** Removes the second factors, and ends sessions. The transaction acts for the member. */
  private async reset(userId: string, { caller, transaction, afterCommit }: WritingCall) {
    const tables = tablesOn(transaction.client);
    if (!(await canPassSecondFactor(tables, userId))) reject(noFactor);
    const practices = await practicesOf(tables, userId);
    const elsewhere = practices
      .map(({ therapistId }) => therapistId)
      .filter((id) => id !== caller.therapistId);
    await holdElsewhere(tables, { userId, elsewhere, by: caller.userId });
    await tables.delete(Factor, { userId });
    await tables.delete(Passkey, { userId });
    // From now on the recovery codes replace no code of an authenticator. They only end holds.
    await tables.update(RecoveryCode, { userId, retiredAt: IsNull() }, { retiredAt: () => 'now()' });
    // Sessions in other practices that have passed the second factor continue. All others began with the password only.
    const ended = await this.sessions.endIn(tables, { userId, therapistId: caller.therapistId });
    const unproven = await this.sessions.endWithoutSecondFactor(tables, userId);
    afterCommit(() => this.gateways.sessionsEnded([...ended, ...unproven]));
  }
}

const yourself = problemFor('42501', {
  message: 'you cannot reset your own second factors',
  hint: 'Remove them with supabase.auth.mfa.unenroll, use a recovery code, or ask another owner.',
});

const noFactor = problemFor('PM404', { message: 'the member has no second factor' });

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
   * Ends the hold. The transaction acts for the caller, and for the practice of the caller of `call`.
   * @throws {Rejection} 42501 without a proof, or when the proof is wrong, which counts as a failed attempt
   */
  async execute(there: RecordTransaction, call: WritingCall, proof: HoldProof): Promise<void> {
    const { caller } = call;
    const { address = '' } = caller;
    const tables = tablesOn(there.client);
    if (proof.recovery_code !== null) await this.useCode(tables, call, proof.recovery_code);
    else if (!(await this.recent.isProven({ identity: caller, address }, { nonce: proof.nonce })))
      reject(held);
    await releaseAccess(tables, caller);
    await noteCall(there, 'access_released', { caller });
  }

  private async useCode(
    tables: EntityManager,
    { caller: { userId, therapistId }, afterCommit }: WritingCall,
    code: string,
  ): Promise<void> {
    await this.lock.take(userId);
    if (!(await useRecoveryCode(tables, { userId, held: therapistId }, code)))
      refuse(problems.wrongFactorCode);
    await this.lock.forget(userId);
    const email = (await addressOf(tables, userId)) ?? '';
    afterCommit(() => this.mail.sendLater(recoveryCodeUsedMail(email)));
  }
}

const held = problemFor('42501', {
  message:
    'your access to this practice is held, since an owner of another practice has reset your second factors',
  hint: 'Ask for a code with GET /auth/v1/reauthenticate and send it as `nonce`, or send a recovery code as `recovery_code`. An owner of this practice can also call reset_factors for you.',
});
