import { resetFactors } from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import type { Problem } from '@practice/core';
import type { ArgumentsOf } from '@practice/resource';
import { Handles } from '@practice/write';
import type { FunctionHandler, WritingCall } from '@practice/write';
import { addressOf } from '../users/credentials.js';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { GatewayAnnouncements } from '../notices/announcements.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { factorsResetMail, memberResetMail } from '../notices/templates.js';
import { practicesOf, standingIn } from '../users/access.js';
import { holdElsewhere, releaseAccess } from './held-access.js';
import { notMember } from './problems.js';
import { noteCall } from '../store/security-events.js';
import { Sessions } from '../sessions/sessions.js';
import { actForCaller } from '../store/transactions.js';
import { isEnrolled, removeFactors } from '../factors/factors.js';
import { retireRecoveryCodes } from '../factors/recovery-codes.js';

/**
 * Lets a member who has lost the second factor sign in with the password again. The owner vouches for the own practice: the
 * member's access to other practices is held until one of their owners does the same, or the member proves who it is.
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
    const { client } = transaction;
    const { therapistId, address = '' } = caller;
    await this.recent.require({ identity: caller, address }, proof);
    if (userId === caller.userId) reject(yourself);
    if ((await standingIn(client, { userId, therapistId })) === undefined) reject(notMember);
    const isReleased = await releaseAccess(client, { userId, therapistId });
    await actForCaller(client, caller.userId);
    const owner = (await addressOf(client, caller.userId)) ?? '';
    await actForCaller(client, userId);
    const member = (await addressOf(client, userId)) ?? '';
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
  private async reset(userId: string, { caller, transaction: { client }, afterCommit }: WritingCall) {
    if (!(await isEnrolled(client, userId))) reject(noFactor);
    const practices = await practicesOf(client, userId);
    const elsewhere = practices
      .map(({ therapistId }) => therapistId)
      .filter((id) => id !== caller.therapistId);
    await holdElsewhere(client, { userId, elsewhere, by: caller.userId });
    await removeFactors(client, userId);
    await retireRecoveryCodes(client, userId);
    // Sessions in other practices that have passed the second factor go on. All others began with the password only.
    const ended = await this.sessions.endIn(client, { userId, therapistId: caller.therapistId });
    const unproven = await this.sessions.endWithoutSecondFactor(client, userId);
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
