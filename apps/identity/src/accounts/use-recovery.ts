import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { EntityManager } from 'typeorm';
import { linkExpired, refuse } from '../calls/problems.js';
import { GatewayAnnouncements } from '../notices/announcements.js';
import { Sessions } from '../sessions/sessions.js';
import { Credential } from '../store/account.entities.js';
import { randomToken, tokenHash } from '../store/secrets.js';
import { Factor, RecoveryCode } from '../store/session.entities.js';
import { actForUser, Transactions } from '../store/transactions.js';
import { useToken } from '../users/mailed-tokens.js';
import { Passwords } from '../users/passwords.js';
import { noteConfirmed } from '../users/users.js';
import { conclude, UseMailedToken } from './conclude.js';
import type { Concluded } from './conclude.js';
import { endAccess } from './end-access.js';
import { grant } from './grant.js';

/**
 * Signs in with a mailed token, which is used up; the user can then set a new password. All other sessions and all personal
 * access tokens end, as another person may have made them. If the address was never confirmed, that person may also have
 * signed up with it: then the password and the second factors so far no longer count either.
 */
export class UseRecovery extends UseMailedToken {}

@CommandHandler(UseRecovery)
export class UseRecoveryHandler implements ICommandHandler<UseRecovery> {
  constructor(
    private readonly transactions: Transactions,
    private readonly sessions: Sessions,
    private readonly passwords: Passwords,
    private readonly gateways: GatewayAnnouncements,
  ) {}

  /** @throws {Rejection} when the token is unknown or has expired */
  async execute({ presented: { token, isLink, address } }: UseRecovery): Promise<Concluded> {
    const hash = tokenHash(token);
    const { ended, result } = await this.transactions.run({ presented: hash }, async (tables) => {
      const { userId, challenge } = (await useToken(tables, hash, 'recovery')) ?? refuse(linkExpired);
      await actForUser(tables, userId);
      const access = await endAccess(tables, this.sessions, { userId, scope: 'global' });
      if (await noteConfirmed(tables, userId)) await this.disown(tables, userId);
      const open = () => grant(tables, this.sessions, { userId, address, method: 'otp' });
      return { ended: access, result: await conclude(tables, { userId, challenge, isLink }, open) };
    });
    await this.gateways.accessEnded(ended);
    return result;
  }

  /** Removes everything that the person who signed up with the address could still open the account with. */
  private async disown(tables: EntityManager, userId: string): Promise<void> {
    await tables.delete(Factor, { userId });
    await tables.delete(RecoveryCode, { userId });
    const passwordHash = await this.passwords.hash(randomToken());
    await tables.update(Credential, { userId }, { passwordHash });
  }
}
