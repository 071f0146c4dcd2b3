import type { GatewayConfig } from '../gateway.config.js';
import { signAccessToken } from './access-tokens.js';
import type { OpenSession } from './sessions.js';
import type { SigningKeys } from './signing-keys.js';
import { publicUser } from './users.js';
import type { User } from './users.js';

/** Makes what a sign-in answers with: an access token, the refresh token that continues the session, and the user. */
export class SessionIssue {
  constructor(
    private readonly keys: SigningKeys,
    private readonly config: GatewayConfig,
  ) {}

  async issue(user: User, session: OpenSession): Promise<object> {
    const { token, expiresAt } = signAccessToken(await this.keys.active(), user, {
      sessionId: session.id,
      issuer: `${this.config.baseUrl}/auth/v1`,
      ttlSeconds: this.config.accessTokenTtlSeconds,
      signedInAt: user.lastSignInAt,
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
