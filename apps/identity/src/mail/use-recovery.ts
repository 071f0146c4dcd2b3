import { Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';
import { linkExpired, refuse } from '../accounts/problems.js';
import type { Granted } from '../sessions/session-issue.js';
import { Sessions, tokenHash } from '../sessions/sessions.js';
import { grant } from '../sessions/sign-in.js';
import { actForPractice, Transactions } from '../transactions.js';
import { keepToken, recoveryToken, useToken } from './mailed-tokens.js';
import type { UsedToken } from './mailed-tokens.js';

/** Signs in with a mailed token, which is used up; the user can then set a new password. */
@Injectable()
export class UseRecovery {
  constructor(
    private readonly transactions: Transactions,
    private readonly sessions: Sessions,
  ) {}

  /** @throws {Rejection} when the token is unknown or has expired */
  grant(token: string): Promise<Granted> {
    return this.using(token, (client, { therapistId }) =>
      grant(client, this.sessions, { therapistId, method: 'otp' }),
    );
  }

  /**
   * The same for a token that was opened as a link. When the mail was requested with a code challenge, the result is a code
   * instead of a session, since others may see where a link leads.
   */
  followLink(token: string): Promise<Granted | { readonly code: string }> {
    return this.using<Granted | { code: string }>(token, async (client, { therapistId, challenge }) => {
      if (challenge === null) return grant(client, this.sessions, { therapistId, method: 'otp' });
      const code = recoveryToken();
      await keepToken(client, therapistId, { hash: tokenHash(code), purpose: 'code', challenge });
      return { code };
    });
  }

  private using<T>(token: string, work: (client: ClientBase, used: UsedToken) => Promise<T>): Promise<T> {
    const hash = tokenHash(token);
    return this.transactions.run({ presented: hash }, async (client) => {
      const used = (await useToken(client, hash, 'recovery')) ?? refuse(linkExpired);
      await actForPractice(client, used.therapistId);
      return work(client, used);
    });
  }
}
