import { Injectable } from '@nestjs/common';
import type { Identity } from '@practice/core';
import { GatewayAnnouncements } from '../gateway/announcements.js';
import { Transactions } from '../transactions.js';
import { Sessions } from './sessions.js';
import type { SignOutScope } from './sessions.js';

/** Ends this session, all sessions of the user, or all but this one. */
@Injectable()
export class SignOut {
  constructor(
    private readonly transactions: Transactions,
    private readonly sessions: Sessions,
    private readonly gateways: GatewayAnnouncements,
  ) {}

  async execute({ therapistId, sessionId }: Identity, scope: SignOutScope): Promise<void> {
    // A token of another issuer has no session here.
    if (sessionId === undefined) return;
    const ended = await this.transactions.run({ therapistId }, (client) =>
      this.sessions.end(client, { therapistId, sessionId }, scope),
    );
    this.gateways.sessionsEnded(ended);
  }
}
