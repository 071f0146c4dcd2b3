import { Inject, Injectable } from '@nestjs/common';
import { IDENTITY_CONFIG } from '../identity.config.js';
import type { IdentityConfig } from '../identity.config.js';
import { SigningKeys } from '../keys/signing-keys.js';
import { publicUser } from '../users/users.js';
import type { User } from '../users/users.js';
import { signAccessToken } from './access-tokens.js';
import type { OpenSession } from './sessions.js';

/** A user who is signed in, with the session. */
export interface Granted {
  readonly user: User;
  readonly session: OpenSession;
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
    @Inject(IDENTITY_CONFIG) private readonly config: IdentityConfig,
  ) {}

  /** @param isCompact leaves the user's details out of the token, because a cookie holds at most 4 KiB */
  async issue({ user, session }: Granted, isCompact = false): Promise<IssuedSession> {
    const owner = isCompact ? { ...user, metadata: {} } : user;
    const { token, expiresAt } = signAccessToken(await this.keys.active(), owner, {
      sessionId: session.id,
      signedIn: session.signedIn,
      issuer: `${this.config.baseUrl}/auth/v1`,
      ttlSeconds: this.config.accessTokenTtlSeconds,
    });
    return {
      access_token: token,
      token_type: 'bearer',
      expires_in: this.config.accessTokenTtlSeconds,
      expires_at: expiresAt,
      refresh_token: session.refreshToken,
      user: publicUser(user),
    };
  }
}
