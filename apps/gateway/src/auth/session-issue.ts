import type { GatewayConfig } from '../gateway.config.js';
import { signAccessToken } from './access-tokens.js';
import type { OpenSession } from './sessions.js';
import type { SigningKeys } from './keys/signing-keys.js';
import { publicUser } from './users.js';
import type { User } from './users.js';

/** Who may come in, and with which session. */
export interface Granted {
  readonly user: User;
  readonly session: OpenSession;
}

/** What a sign-in answers with. */
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

/** Makes what a sign-in answers with: an access token, the refresh token that continues the session, and the user. */
export class SessionIssue {
  constructor(
    private readonly keys: SigningKeys,
    private readonly config: GatewayConfig,
  ) {}

  /** @param isCompact without what the user says about itself: a cookie holds 4 KiB, and its reader asks for the user */
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
