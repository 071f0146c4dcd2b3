import { CommandHandler } from '@nestjs/cqrs';
import { AccountCommand } from '../calls/call.js';
import type { AccountHandler } from '../calls/call.js';
import { badScope, refuse } from '../calls/problems.js';
import { GatewayAnnouncements } from '../notices/announcements.js';
import { Sessions } from '../sessions/sessions.js';
import type { SignOutScope } from '../sessions/sessions.js';
import { Transactions } from '../store/transactions.js';
import { endAccess } from './end-access.js';

/** Ends this session, all sessions of the user with the personal access tokens, or all sessions but this one. */
export class SignOut extends AccountCommand {}

@CommandHandler(SignOut)
export class SignOutHandler implements AccountHandler<SignOut> {
  constructor(
    private readonly transactions: Transactions,
    private readonly sessions: Sessions,
    private readonly gateways: GatewayAnnouncements,
  ) {}

  async execute({ call: { identity, parameters } }: SignOut) {
    const scope = parameters.get('scope') || 'global';
    if (!isScope(scope)) return refuse(badScope(scope));
    const { userId, sessionId } = identity;
    // A token of another issuer has no session here.
    if (sessionId === undefined) return { status: 204 };
    const ended = await this.transactions.run({ userId }, async (tables) => {
      if (scope === 'global') return endAccess(tables, this.sessions, { userId, sessionId, scope });
      return { sessions: await this.sessions.end(tables, { userId, sessionId }, scope), tokens: [] };
    });
    await this.gateways.accessEnded(ended);
    return { status: 204 };
  }
}

const isScope = (scope: string): scope is SignOutScope => ['global', 'local', 'others'].includes(scope);
