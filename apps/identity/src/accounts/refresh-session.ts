import { Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';
import {
  refreshTokenUnknown,
  refreshTokenUsed,
  refuse,
  sessionIdle,
  sessionOver,
} from '../calls/problems.js';
import type { AuthProblem } from '../calls/problems.js';
import { GatewayAnnouncements } from '../notices/announcements.js';
import { actForUser, Transactions } from '../store/transactions.js';
import { standingIn } from '../users/access.js';
import { userById } from '../users/users.js';
import { RefreshTokenRotation } from '../sessions/refresh-token-rotation.js';
import type { Granted } from '../sessions/session-issue.js';
import {
  keepRefreshToken,
  markRefreshTokenUsed,
  refreshTokenByHash,
  Sessions,
  tokenHash,
} from '../sessions/sessions.js';
import type { EndedSession } from '../sessions/sessions.js';

/** Two tabs of a browser may send the same token; within this time both get the same next one. */
const GRACE_MS = 10_000;

const WHY = { idle: sessionIdle, over: sessionOver };

type Outcome = Granted | { readonly ended: readonly EndedSession[]; readonly why: AuthProblem };

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
    if (!('ended' in outcome)) return outcome;
    // Refused only now: a refusal within the transaction would have rolled the end of the session back.
    await this.gateways.sessionsEnded(outcome.ended);
    return refuse(outcome.why);
  }

  private async rotate(client: ClientBase, token: string, hash: string): Promise<Outcome> {
    const stored = await refreshTokenByHash(client, hash);
    if (stored === undefined) return refuse(refreshTokenUnknown);
    const { userId, sessionId, usedAt } = stored;
    await actForUser(client, userId);
    const continued = await this.sessions.continue(client, stored);
    if (continued === 'ended') return refuse(usedAt === null ? refreshTokenUnknown : refreshTokenUsed);
    if (typeof continued === 'string') {
      return { ended: await this.sessions.end(client, stored, 'local'), why: WHY[continued] };
    }
    const now = new Date();
    if (usedAt !== null && now.getTime() - usedAt.getTime() > GRACE_MS) {
      // The owner or a thief presents a used token. It is unknown who, so the session ends for both.
      return { ended: await this.sessions.end(client, stored, 'local'), why: refreshTokenUsed };
    }
    if (usedAt === null) await markRefreshTokenUsed(client, hash, now);
    const user = (await userById(client, userId)) ?? refuse(refreshTokenUnknown);
    const next = this.rotation.after(token);
    await keepRefreshToken(client, stored, next);
    const standing = await standingIn(client, { userId, therapistId: continued.therapistId });
    return {
      user,
      role: undefined,
      ...standing,
      session: { id: sessionId, refreshToken: next, ...continued },
    };
  }
}
