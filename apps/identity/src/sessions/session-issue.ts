import { Inject, Injectable } from '@nestjs/common';
import type { PracticeRole } from '@practice/core';
import jwt from 'jsonwebtoken';
import type { AccountCall } from '../calls/call.js';
import { IDENTITY_CONFIG, type IdentityConfig } from '../identity.config.js';
import { SigningKeys } from '../keys/signing-keys.js';
import { Transactions } from '../store/transactions.js';
import { Founders } from '../users/founders.js';
import { hasSecondFactor, publicUser } from '../users/users.js';
import { type Granted, moveSession } from './sessions.js';

const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1000);

/** A user whose session is in a practice. */
interface Acting extends Granted {
  readonly role: PracticeRole;
  readonly requiresMfa: boolean;
}

/** The proofs of a session, the latest first. A passkey that signed in is both of them. */
function proofsOf({ signedIn, secondFactor }: Granted['session']) {
  const isTwo = secondFactor !== undefined && secondFactor.method !== signedIn.method;
  return isTwo ? [secondFactor, signedIn] : [signedIn];
}

/**
 * The claims of an access token, without its issuer and its times. Supabase's clients read all but `therapist_id`, `role_in_practice`
 * and `required_aal`.
 */
const claimsOf = ({ user, session, role, requiresMfa }: Acting) => ({
  sub: user.id,
  aud: 'authenticated',
  email: user.email,
  phone: '',
  app_metadata: { provider: 'email', providers: ['email'] },
  user_metadata: user.metadata,
  role: 'authenticated',
  therapist_id: session.therapistId,
  role_in_practice: role,
  aal: session.secondFactor === undefined ? 'aal1' : 'aal2',
  // Gateways refuse a token whose level is lower.
  ...((requiresMfa || hasSecondFactor(user.factors)) && { required_aal: 'aal2' }),
  amr: proofsOf(session).map(({ method, at }) => ({ method, timestamp: secondsOf(at) })),
  session_id: session.id,
  is_anonymous: false,
});

/** Signs the access token of a session (JWT, ES256) and composes the response to a sign-in. */
@Injectable()
export class SessionIssue {
  constructor(
    private readonly keys: SigningKeys,
    private readonly founders: Founders,
    private readonly transactions: Transactions,
    @Inject(IDENTITY_CONFIG) private readonly config: IdentityConfig,
  ) {}

  /**
   * The reply to a call that begins or continues a session. A token for cookies lacks the user's details, because a cookie holds at
   * most 4 KiB.
   */
  async reply(granted: Granted, { isForCookies }: Pick<AccountCall, 'isForCookies'>) {
    const acting = await this.acting(granted);
    const { user, session, role: practiceRole } = acting;
    const { kid, privateKey } = await this.keys.active();
    const { accessTokenTtlSeconds, sessions, baseUrl } = this.config;
    const issuedAt = Math.floor(Date.now() / 1000);
    const sessionEnd = secondsOf(session.signedIn.at) + sessions.maxSeconds;
    const expiresAt = Math.min(issuedAt + accessTokenTtlSeconds, sessionEnd);
    const claims = { ...claimsOf(acting), ...(isForCookies && { user_metadata: {} }) };
    const timed = { iss: `${baseUrl}/auth/v1`, iat: issuedAt, exp: expiresAt, ...claims };
    const { id: sessionId, therapistId, refreshToken } = session;
    return {
      body: {
        access_token: jwt.sign(timed, privateKey, { algorithm: 'ES256', keyid: kid }),
        token_type: 'bearer',
        expires_in: expiresAt - issuedAt,
        expires_at: expiresAt,
        refresh_token: refreshToken,
        user: publicUser(user, this.config),
      },
      signedIn: { userId: user.id, therapistId, sessionId, practiceRole },
      methods: proofsOf(session).map(({ method }) => method),
    };
  }

  /** The session with a practice and a role. A person who has left all practices gets a new practice. */
  private async acting({ user, session, role, requiresMfa = false }: Granted): Promise<Acting> {
    if (role !== undefined) return { user, session, role, requiresMfa };
    const { therapistId, ...standing } = await this.founders.givePractice(user.id);
    await this.transactions.run({ userId: user.id }, (tables) =>
      moveSession(tables, { userId: user.id, sessionId: session.id }, therapistId),
    );
    return { user, session: { ...session, therapistId }, ...standing };
  }
}
