import { CommandHandler } from '@nestjs/cqrs';
import { AccountCommand } from '../calls/call.js';
import type { AccountHandler } from '../calls/call.js';
import { isUuid } from '../calls/fields.js';
import { factorNotFound, refuse, userGone } from '../calls/problems.js';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { factorRemovedMail } from '../notices/templates.js';
import { Transactions } from '../store/transactions.js';
import { Factor, RecoveryCode } from '../store/session.entities.js';
import { hasSecondFactor, userById } from '../users/users.js';
import { lockedFactor } from './factors.js';
import { requireSecondFactor } from './second-factor.js';

/** Removes an authenticator app; with the last one, the recovery codes too. */
export class UnenrollFactor extends AccountCommand {}

@CommandHandler(UnenrollFactor)
export class UnenrollFactorHandler implements AccountHandler<UnenrollFactor> {
  constructor(
    private readonly transactions: Transactions,
    private readonly recent: RecentSignIn,
    private readonly mail: OutgoingMail,
  ) {}

  async execute({ call }: UnenrollFactor) {
    const { id, identity } = call;
    const { userId } = identity;
    if (!isUuid(id)) refuse(factorNotFound);
    await this.recent.require(call);
    const removed = await this.transactions.run({ userId }, async (tables) => {
      const { verifiedAt } = (await lockedFactor(tables, userId, id)) ?? refuse(factorNotFound);
      const isVerified = verifiedAt !== null;
      if (isVerified) await requireSecondFactor(tables, identity);
      await tables.delete(Factor, { userId, id });
      const user = (await userById(tables, userId)) ?? refuse(userGone);
      if (!hasSecondFactor(user.factors)) await tables.delete(RecoveryCode, { userId });
      return { isVerified, email: user.email };
    });
    if (removed.isVerified) this.mail.sendLater(async () => factorRemovedMail(removed.email));
    return { body: { id } };
  }
}
