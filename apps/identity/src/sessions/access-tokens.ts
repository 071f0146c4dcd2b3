import jwt from 'jsonwebtoken';
import type { SigningKey } from '../keys/signing-keys.js';
import type { SignedIn } from './sessions.js';
import type { User } from '../users/users.js';

/** A signed access token. */
export interface AccessToken {
  readonly token: string;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
}

/** Signs an access token (JWT, ES256) with the claims that Supabase's clients read. */
export function signAccessToken(
  key: SigningKey,
  user: User,
  details: { sessionId: string; issuer: string; ttlSeconds: number; signedIn: SignedIn },
): AccessToken {
  const { signedIn } = details;
  const issuedAt = Math.floor(Date.now() / 1000);
  const expiresAt = issuedAt + details.ttlSeconds;
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
    aal: 'aal1',
    amr: [{ method: signedIn.method, timestamp: Math.floor(signedIn.at.getTime() / 1000) }],
    session_id: details.sessionId,
    is_anonymous: false,
  };
  return { token: jwt.sign(claims, key.privateKey, { algorithm: 'ES256', keyid: key.kid }), expiresAt };
}
