// Sessions and their refresh tokens. A refresh token is used once and replaced by the next one; only hashes are stored.

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { EndedSession } from '@practice/contracts';
import type { CrossTenantConnection } from '@practice/service';
import type { ClientBase } from 'pg';
import { IDENTITY_CONFIG } from '../identity.config.js';
import type { IdentityConfig } from '../identity.config.js';

export type { EndedSession } from '@practice/contracts';

/** Signed in with a password, or with a token sent by mail. */
export type SignInMethod = 'password' | 'otp';

/** When and how a session began. */
export interface SignedIn {
  readonly at: Date;
  readonly method: SignInMethod;
}

/** A session with the one refresh token that continues it. The token is shown to its owner once. */
export interface OpenSession {
  readonly id: string;
  readonly refreshToken: string;
  readonly signedIn: SignedIn;
}

export interface SessionKey {
  readonly therapistId: string;
  readonly sessionId: string;
}

export interface StoredRefreshToken extends SessionKey {
  readonly usedAt: Date | null;
}

/** Which sessions of a user a sign-out ends, as seen from the session that asks. */
export type SignOutScope = 'global' | 'local' | 'others';

export const REFRESH_TOKEN_BYTES = 24;
/** The second form is Supabase's. Such a token never exists here; clients expect that response rather than a format error. */
const TOKEN = /^([A-Za-z0-9_-]{32}|[a-z0-9]{12})$/;
/** Access tokens are signed after their session's transaction, and gateways tolerate clocks that are 30 s off. */
const MARGIN_SECONDS = 120;

export const isRefreshToken = (value: unknown): value is string =>
  typeof value === 'string' && TOKEN.test(value);

/** Tokens are random, so one fast hash protects them as well as a slow one. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Sessions of the practice that the transaction acts for. */
@Injectable()
export class Sessions {
  /** How long after a sign-in or refresh an access token of the session may still be shown. */
  private readonly tokenSeconds: number;

  constructor(@Inject(IDENTITY_CONFIG) config: IdentityConfig) {
    this.tokenSeconds = config.accessTokenTtlSeconds + MARGIN_SECONDS;
  }

  /** Opens a session, and deletes sessions that ended more than 30 days ago. */
  async open(client: ClientBase, therapistId: string, signedIn: SignedIn): Promise<OpenSession> {
    const id = randomUUID();
    await client.query(
      `DELETE FROM identity.sessions WHERE therapist_id = $1 AND ended_at < now() - interval '30 days'`,
      [therapistId],
    );
    await client.query(
      `INSERT INTO identity.sessions (therapist_id, id, created_at, method, tokens_expire_at)
       VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))`,
      [therapistId, id, signedIn.at, signedIn.method, this.tokenSeconds],
    );
    const refreshToken = randomBytes(REFRESH_TOKEN_BYTES).toString('base64url');
    await keepRefreshToken(client, { therapistId, sessionId: id }, refreshToken);
    return { id, refreshToken, signedIn };
  }

  /** How the session began, if it is open. From now on its next access token counts. */
  async continue(client: ClientBase, { therapistId, sessionId }: SessionKey): Promise<SignedIn | undefined> {
    const { rows } = await client.query<SignedIn>(
      `UPDATE identity.sessions SET tokens_expire_at = now() + make_interval(secs => $3)
       WHERE therapist_id = $1 AND id = $2 AND ended_at IS NULL RETURNING created_at AS "at", method`,
      [therapistId, sessionId, this.tokenSeconds],
    );
    return rows[0];
  }

  /** Ends sessions. Returns the sessions that were open. */
  async end(client: ClientBase, key: SessionKey, scope: SignOutScope): Promise<EndedSession[]> {
    const which = { global: 'true', local: 'id = $2', others: 'id <> $2' }[scope];
    const { rows } = await client.query<EndedSession>(
      `UPDATE identity.sessions SET ended_at = now()
       WHERE therapist_id = $1 AND ended_at IS NULL AND $2::uuid IS NOT NULL AND ${which}
       RETURNING id, (extract(epoch FROM tokens_expire_at) * 1000)::float8 AS until`,
      [key.therapistId, key.sessionId],
    );
    return rows;
  }
}

/** The ended sessions of all practices with an access token that has not expired. */
export async function endedSessions(crossTenant: CrossTenantConnection): Promise<EndedSession[]> {
  const rows = await crossTenant.run({
    text: `SELECT id, round(extract(epoch FROM tokens_expire_at) * 1000) FROM identity.sessions
      WHERE ended_at IS NOT NULL AND tokens_expire_at > now()`,
    values: [],
  });
  return rows.map(([id, until]) => ({ id: String(id), until: Number(until) }));
}

/** Allows a session to be continued with this token. Does nothing when it is allowed already. */
export async function keepRefreshToken(
  client: ClientBase,
  { therapistId, sessionId }: SessionKey,
  token: string,
): Promise<void> {
  await client.query(
    `INSERT INTO identity.refresh_tokens (therapist_id, session_id, token_hash, created_at)
     VALUES ($1, $2, $3, now()) ON CONFLICT DO NOTHING`,
    [therapistId, sessionId, tokenHash(token)],
  );
}

/** The token behind a hash that the transaction's caller has presented, locked against simultaneous use. */
export async function refreshTokenByHash(
  client: ClientBase,
  hash: string,
): Promise<StoredRefreshToken | undefined> {
  const { rows } = await client.query<StoredRefreshToken>(
    `SELECT therapist_id AS "therapistId", session_id AS "sessionId", used_at AS "usedAt"
     FROM identity.refresh_tokens WHERE token_hash = $1 FOR UPDATE`,
    [hash],
  );
  return rows[0];
}

export async function markRefreshTokenUsed(client: ClientBase, hash: string, now: Date): Promise<void> {
  await client.query('UPDATE identity.refresh_tokens SET used_at = $2 WHERE token_hash = $1', [hash, now]);
}
