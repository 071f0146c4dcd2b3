import type { PracticeRole } from '@practice/core';
import jwt from 'jsonwebtoken';
import type { SigningKey } from '../keys/signing-keys.js';
import { hasSecondFactor } from '../users/users.js';
import type { OpenSession } from './sessions.js';
import type { User } from '../users/users.js';

/** A signed access token. */
export interface AccessToken {
  readonly token: string;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
  /** Seconds from now. */
  readonly lifetime: number;
}

const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1000);

interface TokenDetails {
  readonly session: OpenSession;
  readonly role: PracticeRole;
  /** Whether the practice requires a second factor. */
  readonly requiresMfa: boolean;
  readonly issuer: string;
  readonly ttlSeconds: number;
  readonly maxSessionSeconds: number;
}

/** Signs an access token (JWT, ES256) with the claims that Supabase's clients read. */
export function signAccessToken(key: SigningKey, user: User, details: TokenDetails): AccessToken {
  const { id, therapistId, signedIn, secondFactor } = details.session;
  const issuedAt = Math.floor(Date.now() / 1000);
  const sessionEnd = secondsOf(signedIn.at) + details.maxSessionSeconds;
  const expiresAt = Math.min(issuedAt + details.ttlSeconds, sessionEnd);
  const methods = [signedIn, ...(secondFactor === undefined ? [] : [secondFactor])];
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
    amr: methods.reverse().map(({ method, at }) => ({ method, timestamp: secondsOf(at) })),
    session_id: id,
    is_anonymous: false,
  };
  return {
    token: jwt.sign(claims, key.privateKey, { algorithm: 'ES256', keyid: key.kid }),
    expiresAt,
    lifetime: expiresAt - issuedAt,
  };
}
