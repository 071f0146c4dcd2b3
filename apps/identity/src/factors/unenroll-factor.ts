import { Injectable } from '@nestjs/common';
import type { AccountCall } from '../calls/call.js';
import { isUuid } from '../calls/fields.js';
import { factorNotFound, refuse, userGone } from '../calls/problems.js';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { factorRemovedMail } from '../notices/templates.js';
import { Transactions } from '../store/transactions.js';
import { userById } from '../users/users.js';
import { hasSecondFactor, lockedFactor, removeFactors } from './factors.js';
import { removeRecoveryCodes } from './recovery-codes.js';
import { requireSecondFactor } from './second-factor.js';

/** Removes an authenticator app; with the last one, the recovery codes too. */
@Injectable()
export class UnenrollFactor {
  constructor(
    private readonly transactions: Transactions,
    private readonly recent: RecentSignIn,
    private readonly mail: OutgoingMail,
  ) {}

  async execute(call: AccountCall): Promise<object> {
    const { id, identity } = call;
    const { userId } = identity;
    if (!isUuid(id)) refuse(factorNotFound);
    await this.recent.require(call);
    const removed = await this.transactions.run({ userId }, async (client) => {
      const { isVerified } = (await lockedFactor(client, userId, id)) ?? refuse(factorNotFound);
      if (isVerified) await requireSecondFactor(client, identity);
      await removeFactors(client, userId, id);
      const user = (await userById(client, userId)) ?? refuse(userGone);
      if (!hasSecondFactor(user.factors)) await removeRecoveryCodes(client, userId);
      return { isVerified, email: user.email };
    });
    if (removed.isVerified) this.mail.sendLater(async () => factorRemovedMail(removed.email));
    return { id };
  }
}
