// Sessions and their refresh tokens. A refresh token is used once and replaced by the next one; only hashes are stored.

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { EndedSession } from '@practice/contracts';
import type { Statement } from '@practice/log';
import type { CrossTenantConnection } from '@practice/storage';
import type { ClientBase } from 'pg';
import { IDENTITY_CONFIG } from '../identity.config.js';
import type { IdentityConfig, SessionConfig } from '../identity.config.js';
import { PROVEN, provenBy } from './proven.js';
import type { Proven, ProvenRow, SecondFactorMethod, SignedIn } from './proven.js';

export type { EndedSession } from '@practice/contracts';

/** A session with the one refresh token that continues it. The token is shown to its owner once. */
export interface OpenSession extends Proven {
  readonly id: string;
  /** The practice that it acts in. */
  readonly therapistId: string;
  readonly refreshToken: string;
}

/** A user, and the practice that the user acts in. */
export interface Member {
  readonly userId: string;
  readonly therapistId: string;
}

export interface SessionKey {
  readonly userId: string;
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

const ENDED = 'id, (extract(epoch FROM tokens_expire_at) * 1000)::float8 AS until';
/** Sessions of the user that the transaction acts for. */
@Injectable()
export class Sessions {
  /** How long after a sign-in or refresh an access token of the session may still be shown. */
  private readonly tokenSeconds: number;
  private readonly limits: SessionConfig;

  constructor(@Inject(IDENTITY_CONFIG) config: IdentityConfig) {
    this.tokenSeconds = config.accessTokenTtlSeconds + MARGIN_SECONDS;
    this.limits = config.sessions;
  }

  /**
   * Opens a session.
   * @param address the network address of the sign-in
   */
  async open(
    client: ClientBase,
    { userId, therapistId }: Member,
    { address, ...signedIn }: SignedIn & { readonly address: string },
  ): Promise<OpenSession> {
    const id = randomUUID();
    await client.query(
      `INSERT INTO identity.sessions
         (user_id, id, therapist_id, created_at, method, tokens_expire_at, refreshed_at, address)
       VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6), now(), $7)`,
      [userId, id, therapistId, signedIn.at, signedIn.method, this.tokenSeconds, address],
    );
    const refreshToken = newRefreshToken();
    await keepRefreshToken(client, { userId, sessionId: id }, refreshToken);
    return { id, therapistId, refreshToken, signedIn };
  }

  /**
   * The practice of the session and what it has proven. From now on its next access token counts.
   * @returns why not, if it has ended or is due to end
   */
  async continue(
    client: ClientBase,
    { userId, sessionId }: SessionKey,
  ): Promise<Omit<OpenSession, 'id' | 'refreshToken'> | 'ended' | 'idle' | 'over'> {
    const { rows } = await client.query<ProvenRow & { isIdle: boolean; isOver: boolean }>(
      `UPDATE identity.sessions AS s SET refreshed_at = now(), tokens_expire_at = now() + make_interval(secs => $3)
       FROM (SELECT user_id, id, refreshed_at < now() - make_interval(secs => $4) AS "isIdle",
           created_at < now() - make_interval(secs => $5) AS "isOver" FROM identity.sessions) AS before
       WHERE s.user_id = $1 AND s.id = $2 AND s.ended_at IS NULL
         AND before.user_id = s.user_id AND before.id = s.id
       RETURNING ${PROVEN}, before."isIdle", before."isOver"`,
      [userId, sessionId, this.tokenSeconds, this.limits.idleSeconds, this.limits.maxSeconds],
    );
    const [found] = rows;
    if (found === undefined) return 'ended';
    if (found.isOver) return 'over';
    return found.isIdle ? 'idle' : { therapistId: found.therapistId, ...provenBy(found) };
  }

  /**
   * Records that the session has passed a second factor. Its refresh tokens so far no longer continue it.
   * @returns undefined when the session has ended
   */
  async strengthen(
    client: ClientBase,
    key: SessionKey,
    method: SecondFactorMethod,
  ): Promise<OpenSession | undefined> {
    const { rows } = await client.query<ProvenRow>(
      `UPDATE identity.sessions SET second_factor = $3, second_factor_at = date_trunc('milliseconds', now()),
         refreshed_at = now(), tokens_expire_at = now() + make_interval(secs => $4)
       WHERE user_id = $1 AND id = $2 AND ended_at IS NULL RETURNING ${PROVEN}`,
      [key.userId, key.sessionId, method, this.tokenSeconds],
    );
    const [found] = rows;
    if (found === undefined) return undefined;
    await client.query(
      `UPDATE identity.refresh_tokens SET used_at = now() - interval '1 hour'
       WHERE user_id = $1 AND session_id = $2 AND used_at IS NULL`,
      [key.userId, key.sessionId],
    );
    const refreshToken = newRefreshToken();
    await keepRefreshToken(client, key, refreshToken);
    return { id: key.sessionId, refreshToken, therapistId: found.therapistId, ...provenBy(found) };
  }

  /** Ends the sessions that have not passed a second factor. Returns them. */
  async endWithoutSecondFactor(client: ClientBase, userId: string): Promise<EndedSession[]> {
    const { rows } = await client.query<EndedSession>(
      `UPDATE identity.sessions SET ended_at = now()
       WHERE user_id = $1 AND ended_at IS NULL AND second_factor_at IS NULL RETURNING ${ENDED}`,
      [userId],
    );
    return rows;
  }

  /**
   * Ends the sessions in one practice, and the sessions that have left it: their access tokens for it may not have expired.
   * The statement returns the sessions that were open.
   */
  endingIn({ userId, therapistId }: Member): Statement {
    return {
      text: `UPDATE identity.sessions SET ended_at = now()
WHERE user_id = $1 AND ended_at IS NULL AND (therapist_id = $2
  OR (left_practices ->> $2::uuid::text)::timestamptz > now() - make_interval(secs => $3))
RETURNING ${ENDED}`,
      values: [userId, therapistId, this.tokenSeconds],
    };
  }

  /** Carries `endingIn` out. Returns the sessions that were open. */
  async endIn(client: ClientBase, member: Member): Promise<EndedSession[]> {
    const { text, values } = this.endingIn(member);
    return (await client.query<EndedSession>(text, [...values])).rows;
  }

  /** Ends sessions. Returns the sessions that were open. */
  async end(client: ClientBase, key: SessionKey, scope: SignOutScope): Promise<EndedSession[]> {
    const which = { global: 'true', local: 'id = $2', others: 'id <> $2' }[scope];
    const { rows } = await client.query<EndedSession>(
      `UPDATE identity.sessions SET ended_at = now()
       WHERE user_id = $1 AND ended_at IS NULL AND $2::uuid IS NOT NULL AND ${which}
       RETURNING ${ENDED}`,
      [key.userId, key.sessionId],
    );
    return rows;
  }
}

const newRefreshToken = (): string => randomBytes(REFRESH_TOKEN_BYTES).toString('base64url');

/** Sets the practice of an open session, and notes when it left the practice before. Returns whether there is one. */
export async function moveSession(
  client: ClientBase,
  { userId, sessionId }: SessionKey,
  therapistId: string,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE identity.sessions SET therapist_id = $3,
       left_practices = left_practices || jsonb_build_object(therapist_id, now())
     WHERE user_id = $1 AND id = $2 AND ended_at IS NULL`,
    [userId, sessionId, therapistId],
  );
  return rowCount === 1;
}

/** The ended sessions of all users with an access token that has not expired. */
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
  { userId, sessionId }: SessionKey,
  token: string,
): Promise<void> {
  await client.query(
    `INSERT INTO identity.refresh_tokens (user_id, session_id, token_hash, created_at)
     VALUES ($1, $2, $3, now()) ON CONFLICT DO NOTHING`,
    [userId, sessionId, tokenHash(token)],
  );
}

/** The token behind a hash that the transaction's caller has presented, locked against simultaneous use. */
export async function refreshTokenByHash(
  client: ClientBase,
  hash: string,
): Promise<StoredRefreshToken | undefined> {
  const { rows } = await client.query<StoredRefreshToken>(
    `SELECT user_id AS "userId", session_id AS "sessionId", used_at AS "usedAt"
     FROM identity.refresh_tokens WHERE token_hash = $1 FOR UPDATE`,
    [hash],
  );
  return rows[0];
}

export async function markRefreshTokenUsed(client: ClientBase, hash: string, now: Date): Promise<void> {
  await client.query('UPDATE identity.refresh_tokens SET used_at = $2 WHERE token_hash = $1', [hash, now]);
}
