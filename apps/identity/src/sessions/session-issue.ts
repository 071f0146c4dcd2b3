import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { PracticeRole } from '@practice/core';
import type { AccountCall, AccountReply } from '../calls/call.js';
import { IDENTITY_CONFIG } from '../identity.config.js';
import type { IdentityConfig } from '../identity.config.js';
import { SigningKeys } from '../keys/signing-keys.js';
import { Transactions } from '../store/transactions.js';
import { PublicUsers } from '../users/public-user.js';
import type { User } from '../users/users.js';
import { signAccessToken } from './access-tokens.js';
import { GivePractice } from './give-practice.command.js';
import { moveSession } from './sessions.js';
import type { OpenSession } from './sessions.js';

/** A user who is signed in, with the session. */
export interface Granted {
  readonly user: User;
  readonly session: OpenSession;
  /** The user's role in the practice of the session; undefined when the user is not a member of any. */
  readonly role: PracticeRole | undefined;
  /** Whether that practice requires a second factor. */
  readonly requiresMfa?: boolean;
}

/** A user whose session is in a practice. */
interface Acting extends Granted {
  readonly role: PracticeRole;
  readonly requiresMfa: boolean;
}

/** The response to a sign-in. */
export interface IssuedSession {
  readonly access_token: string;
  readonly token_type: 'bearer';
  /** Seconds. */
  readonly expires_in: number;
  /** Seconds since the epoch. */
  readonly expires_at: number;
  readonly refresh_token: string;
  readonly user: object;
}

/** Signs the access token of a session and composes the response to a sign-in. */
@Injectable()
export class SessionIssue {
  constructor(
    private readonly keys: SigningKeys,
    private readonly commands: CommandBus,
    private readonly transactions: Transactions,
    private readonly users: PublicUsers,
    @Inject(IDENTITY_CONFIG) private readonly config: IdentityConfig,
  ) {}

  /** The reply to a call that begins or continues a session. */
  async reply(granted: Granted, { isForCookies }: Pick<AccountCall, 'isForCookies'>): Promise<AccountReply> {
    return { body: await this.issue(granted, isForCookies) };
  }

  /** @param isCompact leaves the user's details out of the token, because a cookie holds at most 4 KiB */
  async issue(granted: Granted, isCompact = false): Promise<IssuedSession> {
    const { user, session, role, requiresMfa } = await this.acting(granted);
    const owner = isCompact ? { ...user, metadata: {} } : user;
    const { token, expiresAt, lifetime } = signAccessToken(await this.keys.active(), owner, {
      session,
      role,
      requiresMfa,
      issuer: `${this.config.baseUrl}/auth/v1`,
      ttlSeconds: this.config.accessTokenTtlSeconds,
      maxSessionSeconds: this.config.sessions.maxSeconds,
    });
    return {
      access_token: token,
      token_type: 'bearer',
      expires_in: lifetime,
      expires_at: expiresAt,
      refresh_token: session.refreshToken,
      user: this.users.of(user),
    };
  }

  /** The session in a practice: a person who has left all practices gets a new one. */
  private async acting({ user, session, role, requiresMfa = false }: Granted): Promise<Acting> {
    if (role !== undefined) return { user, session, role, requiresMfa };
    const { therapistId, ...standing } = await this.commands.execute(new GivePractice(user.id));
    await this.transactions.run({ userId: user.id }, (tables) =>
      moveSession(tables, { userId: user.id, sessionId: session.id }, therapistId),
    );
    return { user, session: { ...session, therapistId }, ...standing };
  }
}
