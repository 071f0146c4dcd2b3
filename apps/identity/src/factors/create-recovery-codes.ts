import { createRecoveryCodes } from '@practice/contracts';
import type { ArgumentsOf } from '@practice/resource';
import { Handles } from '@practice/write';
import type { FunctionHandler, WritingCall } from '@practice/write';
import { noFactor, refuse, userGone } from '../calls/problems.js';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { recoveryCodesMail } from '../notices/templates.js';
import { addressOf, isEnrolled } from '../users/users.js';
import { replaceRecoveryCodes } from './recovery-codes.js';
import { requireSecondFactor } from './second-factor.js';
import { noteCall } from '../store/security-events.js';
import { actForCaller } from '../store/transactions.js';
import { tablesOn } from '../store/database.js';

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
    const email = (await addressOf(tables, userId)) ?? refuse(userGone);
    if (!(await isEnrolled(tables, userId))) refuse(noFactor);
    await requireSecondFactor(tables, caller);
    const codes = await replaceRecoveryCodes(tables, userId);
    await noteCall(transaction, 'recovery_codes_created', { caller });
    afterCommit(() => this.mail.sendLater(async () => recoveryCodesMail(email)));
    return codes.map((code) => ({ code }));
  }
}
