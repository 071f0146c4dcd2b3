import { Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';
import { linkExpired, refuse } from '../calls/problems.js';
import { noteConfirmed, replacePassword } from '../users/credentials.js';
import { Passwords } from '../users/passwords.js';
import { GatewayAnnouncements } from '../notices/announcements.js';
import { removeFactors } from '../factors/factors.js';
import { removeRecoveryCodes } from '../factors/recovery-codes.js';
import { endAccess } from './end-access.js';
import { Sessions, tokenHash } from '../sessions/sessions.js';
import { grant } from './sign-in.js';
import { actForUser, Transactions } from '../store/transactions.js';
import { conclude } from './conclude.js';
import type { Concluded, PresentedToken } from './conclude.js';
import { randomToken, useToken } from '../users/mailed-tokens.js';

/**
 * Signs in with a mailed token, which is used up; the user can then set a new password. All other sessions and all personal
 * access tokens end, as another person may have made them. If the address was never confirmed, that person may also have
 * signed up with it: then the password and the second factors so far no longer count either.
 */
@Injectable()
export class UseRecovery {
  constructor(
    private readonly transactions: Transactions,
    private readonly sessions: Sessions,
    private readonly passwords: Passwords,
    private readonly gateways: GatewayAnnouncements,
  ) {}

  /** @throws {Rejection} when the token is unknown or has expired */
  async execute({ token, isLink, address }: PresentedToken): Promise<Concluded> {
    const hash = tokenHash(token);
    const { ended, result } = await this.transactions.run({ presented: hash }, async (client) => {
      const { userId, challenge } = (await useToken(client, hash, 'recovery')) ?? refuse(linkExpired);
      await actForUser(client, userId);
      const access = await endAccess(client, this.sessions, { userId, scope: 'global' });
      if (await noteConfirmed(client, userId)) await this.disown(client, userId);
      const open = () => grant(client, this.sessions, { userId, address, method: 'otp' });
      return { ended: access, result: await conclude(client, { userId, challenge, isLink }, open) };
    });
    await this.gateways.accessEnded(ended);
    return result;
  }

  /** Removes everything that the person who signed up with the address could still open the account with. */
  private async disown(client: ClientBase, userId: string): Promise<void> {
    await removeFactors(client, userId);
    await removeRecoveryCodes(client, userId);
    await replacePassword(client, userId, await this.passwords.hash(randomToken()));
  }
}
