import { Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';
import { refreshTokenUnknown, refreshTokenUsed, refuse } from '../accounts/problems.js';
import { GatewayAnnouncements } from '../gateway/announcements.js';
import { actForPractice, Transactions } from '../transactions.js';
import { userById } from '../users/users.js';
import { RefreshTokenRotation } from './refresh-token-rotation.js';
import type { Granted } from './session-issue.js';
import {
  keepRefreshToken,
  markRefreshTokenUsed,
  refreshTokenByHash,
  Sessions,
  tokenHash,
} from './sessions.js';
import type { EndedSession } from './sessions.js';

/** Two tabs of a browser may send the same token; within this time both get the same next one. */
const GRACE_MS = 10_000;

type Outcome = Granted | { readonly reused: readonly EndedSession[] };

/** Continues a session: uses its refresh token up and issues the next one. */
@Injectable()
export class RefreshSession {
  constructor(
    private readonly transactions: Transactions,
    private readonly sessions: Sessions,
    private readonly rotation: RefreshTokenRotation,
    private readonly gateways: GatewayAnnouncements,
  ) {}

  async execute(refreshToken: string): Promise<Granted> {
    const hash = tokenHash(refreshToken);
    const outcome = await this.transactions.run({ presented: hash }, (client) =>
      this.rotate(client, refreshToken, hash),
    );
    if (!('reused' in outcome)) return outcome;
    // Refused only now: a refusal within the transaction would have rolled the end of the session back.
    this.gateways.sessionsEnded(outcome.reused);
    return refuse(refreshTokenUsed);
  }

  private async rotate(client: ClientBase, token: string, hash: string): Promise<Outcome> {
    const stored = await refreshTokenByHash(client, hash);
    if (stored === undefined) return refuse(refreshTokenUnknown);
    const { therapistId, sessionId, usedAt } = stored;
    await actForPractice(client, therapistId);
    const signedIn = await this.sessions.continue(client, stored);
    if (signedIn === undefined) return refuse(usedAt === null ? refreshTokenUnknown : refreshTokenUsed);
    const now = new Date();
    if (usedAt !== null && now.getTime() - usedAt.getTime() > GRACE_MS) {
      // The owner or a thief presents a used token. It is unknown who, so the session ends for both.
      return { reused: await this.sessions.end(client, stored, 'local') };
    }
    if (usedAt === null) await markRefreshTokenUsed(client, hash, now);
    const user = (await userById(client, therapistId)) ?? refuse(refreshTokenUnknown);
    const next = this.rotation.after(token);
    await keepRefreshToken(client, stored, next);
    return { user, session: { id: sessionId, refreshToken: next, signedIn } };
  }
}
