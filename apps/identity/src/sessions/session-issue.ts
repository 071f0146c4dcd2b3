import { Inject, Injectable } from '@nestjs/common';
import { Command, CommandBus } from '@nestjs/cqrs';
import type { PracticeRole } from '@practice/core';
import jwt from 'jsonwebtoken';
import type { AccountCall, AccountReply } from '../calls/call.js';
import { IDENTITY_CONFIG, type IdentityConfig } from '../identity.config.js';
import { type SigningKey, SigningKeys } from '../keys/signing-keys.js';
import { Transactions } from '../store/transactions.js';
import type { Standing } from '../users/access.js';
import { hasSecondFactor, PublicUsers, type User } from '../users/users.js';
import { moveSession, type OpenSession } from './sessions.js';

const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1000);

interface TokenDetails extends Omit<Acting, 'user'> {
  readonly issuer: string;
  readonly ttlSeconds: number;
  readonly maxSessionSeconds: number;
}

/**
 * Signs an access token (JWT, ES256) with the claims that Supabase's clients read.
 * @returns the token with its expiry, in seconds since the epoch, and its lifetime in seconds
 */
function signAccessToken(key: SigningKey, user: User, details: TokenDetails) {
  const { id, therapistId, signedIn, secondFactor } = details.session;
  const issuedAt = Math.floor(Date.now() / 1000);
  const sessionEnd = secondsOf(signedIn.at) + details.maxSessionSeconds;
  const expiresAt = Math.min(issuedAt + details.ttlSeconds, sessionEnd);
  const isTwo = secondFactor !== undefined && secondFactor.method !== signedIn.method;
  const methods = isTwo ? [secondFactor, signedIn] : [signedIn];
  const claims = {
    iss: details.issuer,
    sub: user.id,
    aud: 'authenticated',
    exp: expiresAt,
    iat: issuedAt,
    email: user.email,
    phone: '',
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: user.metadata,
    role: 'authenticated',
    therapist_id: therapistId,
    role_in_practice: details.role,
    aal: secondFactor === undefined ? 'aal1' : 'aal2',
    // Gateways refuse a token whose level is lower.
    ...((details.requiresMfa || hasSecondFactor(user.factors)) && { required_aal: 'aal2' }),
    amr: methods.map(({ method, at }) => ({ method, timestamp: secondsOf(at) })),
    session_id: id,
    is_anonymous: false,
  };
  return {
    token: jwt.sign(claims, key.privateKey, { algorithm: 'ES256', keyid: key.kid }),
    expiresAt,
    lifetime: expiresAt - issuedAt,
  };
}

/** Makes sure that a user who is signed in acts in a practice: a person who has left all practices gets a new practice. */
export class GivePractice extends Command<Standing> {
  constructor(readonly userId: string) {
    super();
  }
}

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

  /**
   * The response to a sign-in.
   * @param isCompact leaves the user's details out of the token, because a cookie holds at most 4 KiB
   */
  async issue(granted: Granted, isCompact = false) {
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

  /** The session with a practice and a role. A person who has left all practices gets a new practice. */
  private async acting({ user, session, role, requiresMfa = false }: Granted): Promise<Acting> {
    if (role !== undefined) return { user, session, role, requiresMfa };
    const { therapistId, ...standing } = await this.commands.execute(new GivePractice(user.id));
    await this.transactions.run({ userId: user.id }, (tables) =>
      moveSession(tables, { userId: user.id, sessionId: session.id }, therapistId),
    );
    return { user, session: { ...session, therapistId }, ...standing };
  }
}
