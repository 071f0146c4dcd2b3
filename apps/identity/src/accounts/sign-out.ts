import { Injectable } from '@nestjs/common';
import type { Identity } from '@practice/core';
import { GatewayAnnouncements } from '../notices/announcements.js';
import { Transactions } from '../store/transactions.js';
import { endAccess } from './end-access.js';
import { Sessions } from '../sessions/sessions.js';
import type { SignOutScope } from '../sessions/sessions.js';

/** Ends this session, all sessions of the user with the personal access tokens, or all sessions but this one. */
@Injectable()
export class SignOut {
  constructor(
    private readonly transactions: Transactions,
    private readonly sessions: Sessions,
    private readonly gateways: GatewayAnnouncements,
  ) {}

  async execute({ userId, sessionId }: Identity, scope: SignOutScope): Promise<void> {
    // A token of another issuer has no session here.
    if (sessionId === undefined) return;
    const ended = await this.transactions.run({ userId }, async (client) => {
      if (scope === 'global') return endAccess(client, this.sessions, { userId, sessionId, scope });
      return { sessions: await this.sessions.end(client, { userId, sessionId }, scope), tokens: [] };
    });
    await this.gateways.accessEnded(ended);
  }
}
