import { CommandHandler } from '@nestjs/cqrs';
import type { EndedSession } from '@practice/contracts';
import type { EntityManager } from 'typeorm';
import { AccountCommand } from '../calls/call.js';
import type { AccountHandler } from '../calls/call.js';
import { refreshTokenOf } from '../calls/fields.js';
import {
  refreshTokenUnknown,
  refreshTokenUsed,
  refuse,
  sessionIdle,
  sessionOver,
} from '../calls/problems.js';
import type { AuthProblem } from '../calls/problems.js';
import { GatewayAnnouncements } from '../notices/announcements.js';
import { RefreshTokenRotation } from '../sessions/refresh-token-rotation.js';
import { SessionIssue } from '../sessions/session-issue.js';
import type { Granted } from '../sessions/session-issue.js';
import { keepRefreshToken, selectRefreshToken, Sessions, useRefreshToken } from '../sessions/sessions.js';
import { tokenHash } from '../store/secrets.js';
import { actForUser, Transactions } from '../store/transactions.js';
import { standingIn } from '../users/access.js';
import { userById } from '../users/users.js';

/** Two tabs of a browser may send the same token; within this time both get the same next one. */
const GRACE_MS = 10_000;

const WHY = { idle: sessionIdle, over: sessionOver };

type Rotated = Granted | { readonly ended: readonly EndedSession[]; readonly why: AuthProblem };

/** Continues a session: uses its refresh token up and issues the next one. */
export class RefreshSession extends AccountCommand {}

@CommandHandler(RefreshSession)
export class RefreshSessionHandler implements AccountHandler<RefreshSession> {
  constructor(
    private readonly transactions: Transactions,
    private readonly sessions: Sessions,
    private readonly rotation: RefreshTokenRotation,
    private readonly gateways: GatewayAnnouncements,
    private readonly issue: SessionIssue,
  ) {}

  async execute({ call }: RefreshSession) {
    const token = refreshTokenOf(call.fields());
    const rotated = await this.transactions.run({ presented: tokenHash(token) }, (tables) =>
      this.rotate(tables, token),
    );
    if (!('ended' in rotated)) return this.issue.reply(rotated, call);
    // Refused only now: a refusal within the transaction would have rolled the end of the session back.
    await this.gateways.sessionsEnded(rotated.ended);
    return refuse(rotated.why);
  }

  private async rotate(tables: EntityManager, token: string): Promise<Rotated> {
    const hash = tokenHash(token);
    const [stored] = await selectRefreshToken(tables, { hash });
    if (stored === undefined) return refuse(refreshTokenUnknown);
    const { userId, sessionId, usedAt } = stored;
    const key = { userId, sessionId };
    await actForUser(tables, userId);
    const continued = await this.sessions.continue(tables, key);
    if (continued === 'ended') return refuse(usedAt === null ? refreshTokenUnknown : refreshTokenUsed);
    if (typeof continued === 'string')
      return { ended: await this.sessions.end(tables, key, 'local'), why: WHY[continued] };
    const now = new Date();
    if (usedAt !== null && now.getTime() - usedAt.getTime() > GRACE_MS) {
      // The owner or a thief presents a used token. It is unknown who, so the session ends for both.
      return { ended: await this.sessions.end(tables, key, 'local'), why: refreshTokenUsed };
    }
    if (usedAt === null) await useRefreshToken(tables, { hash, usedAt: now });
    const user = (await userById(tables, userId)) ?? refuse(refreshTokenUnknown);
    const next = this.rotation.after(token);
    await keepRefreshToken(tables, key, next);
    const standing = await standingIn(tables, { userId, therapistId: continued.therapistId });
    const session = { id: sessionId, refreshToken: next, ...continued };
    return { user, role: undefined, ...standing, session };
  }
}
