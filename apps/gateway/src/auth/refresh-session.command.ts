import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { ClientBase } from 'pg';
import { actForPractice, Database } from '../database.js';
import { EndedSessions } from './ended-sessions.js';
import { refreshTokenUnknown, refreshTokenUsed, refuse } from './errors.js';
import type { Granted } from './session-issue.js';
import {
  endSessions,
  keepRefreshToken,
  markRefreshTokenUsed,
  openSessionById,
  refreshTokenByHash,
  tokenHash,
} from './sessions.js';
import type { OpenSession } from './sessions.js';
import { TokenSuccession } from './token-succession.js';
import { userById } from './users.js';
import type { User } from './users.js';

/** Two tabs of a browser may send the same token; within this time both get the same next one. */
const GRACE_MS = 10_000;

/** Continues a session: the refresh token is used up, and the answer has the next one. */
export class RefreshSession extends Command<Granted> {
  constructor(readonly refreshToken: string) {
    super();
  }
}

type Outcome = { readonly user: User; readonly session: OpenSession } | { readonly reusedSession: string };

@CommandHandler(RefreshSession)
export class RefreshSessionHandler implements ICommandHandler<RefreshSession> {
  constructor(
    private readonly database: Database,
    private readonly ended: EndedSessions,
    private readonly succession: TokenSuccession,
  ) {}

  async execute({ refreshToken }: RefreshSession): Promise<Granted> {
    const hash = tokenHash(refreshToken);
    const outcome = await this.database.transaction({ presented: hash }, (client) =>
      this.rotate(client, refreshToken, hash),
    );
    // The transaction that ended the session had to be committed first: a refusal within it would have undone it.
    if ('reusedSession' in outcome) {
      this.ended.forget([outcome.reusedSession]);
      return refuse(refreshTokenUsed);
    }
    return outcome;
  }

  private async rotate(client: ClientBase, token: string, hash: string): Promise<Outcome> {
    const stored = await refreshTokenByHash(client, hash);
    if (stored === undefined) return refuse(refreshTokenUnknown);
    const { therapistId, sessionId, usedAt } = stored;
    await actForPractice(client, therapistId);
    const signedIn = await openSessionById(client, therapistId, sessionId);
    if (signedIn === undefined) return refuse(usedAt === null ? refreshTokenUnknown : refreshTokenUsed);
    const now = new Date();
    if (usedAt !== null && now.getTime() - usedAt.getTime() > GRACE_MS) {
      // Somebody has a token that was used before: its owner, or a thief. Neither shall go on with this session.
      await this.ended.announce(client, await endSessions(client, { therapistId, sessionId }, 'local'));
      return { reusedSession: sessionId };
    }
    if (usedAt === null) await markRefreshTokenUsed(client, hash, now);
    const user = await userById(client, therapistId);
    if (user === undefined) return refuse(refreshTokenUnknown);
    const next = this.succession.after(token);
    await keepRefreshToken(client, { therapistId, sessionId }, { token: next, at: now });
    return { user, session: { id: sessionId, refreshToken: next, signedIn } };
  }
}
