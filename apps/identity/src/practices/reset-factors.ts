import { resetFactors } from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import type { Problem } from '@practice/core';
import type { ArgumentsOf } from '@practice/resource';
import { Handles } from '@practice/write';
import type { FunctionHandler, WritingCall } from '@practice/write';
import { IsNull } from 'typeorm';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { GatewayAnnouncements } from '../notices/announcements.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { factorsResetMail, memberResetMail } from '../notices/templates.js';
import { notMember, practicesOf, standingIn } from '../users/access.js';
import { holdElsewhere, releaseAccess } from './held-access.js';
import { noteCall } from '../store/security-events.js';
import { Sessions } from '../sessions/sessions.js';
import { actForCaller } from '../store/transactions.js';
import { Factor, RecoveryCode } from '../store/session.entities.js';
import { addressOf, isEnrolled } from '../users/users.js';
import { tablesOn } from '../store/database.js';

/**
 * Lets a member who has lost the second factor sign in with the password again. The owner decides for the own practice
 * only: the member's access to other practices is held until one of their owners does the same, or the member proves who it is.
 */
@Handles(resetFactors)
export class ResetFactors implements FunctionHandler<typeof resetFactors> {
  constructor(
    private readonly recent: RecentSignIn,
    private readonly sessions: Sessions,
    private readonly gateways: GatewayAnnouncements,
    private readonly mail: OutgoingMail,
  ) {}

  /** @throws {Rejection} when the person is the caller, no member, or has no second factor; or the sign-in is not recent */
  async call({ user_id: userId, ...proof }: ArgumentsOf<typeof resetFactors>, call: WritingCall) {
    const { caller, transaction } = call;
    const tables = tablesOn(transaction.client);
    const { therapistId, address = '' } = caller;
    await this.recent.require({ identity: caller, address }, proof);
    if (userId === caller.userId) reject(yourself);
    if ((await standingIn(tables, { userId, therapistId })) === undefined) reject(notMember);
    const isReleased = await releaseAccess(tables, { userId, therapistId });
    await actForCaller(tables, caller.userId);
    const owner = (await addressOf(tables, caller.userId)) ?? '';
    await actForCaller(tables, userId);
    const member = (await addressOf(tables, userId)) ?? '';
    if (!isReleased) await this.reset(userId, call);
    const outcome = isReleased ? ('released' as const) : ('reset' as const);
    await noteCall(transaction, isReleased ? 'access_released' : 'factors_reset', { caller, userId });
    call.afterCommit(() => {
      this.mail.sendLater(async () => factorsResetMail(member, { owner, outcome }));
      this.mail.sendLater(async () => memberResetMail(owner, { member, outcome }));
    });
    return { user_id: userId, outcome };
  }

  /** The transaction acts for the member. */
  private async reset(userId: string, { caller, transaction, afterCommit }: WritingCall) {
    const tables = tablesOn(transaction.client);
    if (!(await isEnrolled(tables, userId))) reject(noFactor);
    const practices = await practicesOf(tables, userId);
    const elsewhere = practices
      .map(({ therapistId }) => therapistId)
      .filter((id) => id !== caller.therapistId);
    await holdElsewhere(tables, { userId, elsewhere, by: caller.userId });
    await tables.delete(Factor, { userId });
    // From now on the codes take the place of no authenticator. They only end holds.
    await tables.update(RecoveryCode, { userId, retiredAt: IsNull() }, { retiredAt: () => 'now()' });
    // Sessions in other practices that have passed the second factor continue. All others began with the password only.
    const ended = await this.sessions.endIn(tables, { userId, therapistId: caller.therapistId });
    const unproven = await this.sessions.endWithoutSecondFactor(tables, userId);
    afterCommit(() => this.gateways.sessionsEnded([...ended, ...unproven]));
  }
}

const yourself: Problem = {
  status: 403,
  code: '42501',
  message: 'you cannot reset your own second factors',
  hint: 'Remove them with supabase.auth.mfa.unenroll, use a recovery code, or ask another owner.',
};

const noFactor: Problem = problemFor('PM404', { message: 'the member has no second factor' });
