// Sessions and their refresh tokens. A refresh token is used once and leaves the next one; of a token only the hash is kept.

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { ClientBase } from 'pg';

/** How its owner came in: with a password, or with a token sent by mail. */
export type SignInMethod = 'password' | 'otp';

/** When and how a session began. */
export interface SignedIn {
  readonly at: Date;
  readonly method: SignInMethod;
}

/** A session with the one refresh token that continues it, shown to its owner once. */
export interface OpenSession {
  readonly id: string;
  readonly refreshToken: string;
  readonly signedIn: SignedIn;
}

export interface StoredRefreshToken {
  readonly therapistId: string;
  readonly sessionId: string;
  readonly usedAt: Date | null;
}

export const REFRESH_TOKEN_BYTES = 24;
/** The second is how Supabase's are: nobody has one here, and clients are to hear just that. */
const TOKEN = /^([A-Za-z0-9_-]{32}|[a-z0-9]{12})$/;

/** Whether this could be a refresh token at all. */
export const isRefreshToken = (value: unknown): value is string =>
  typeof value === 'string' && TOKEN.test(value);

/** Tokens are random, so one fast hash hides them as well as a slow one. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Opens a session for the practice that the transaction acts for; those that ended long ago are forgotten. */
export async function openSession(
  client: ClientBase,
  therapistId: string,
  signedIn: SignedIn,
): Promise<OpenSession> {
  const id = randomUUID();
  await client.query(
    `DELETE FROM gateway.sessions WHERE therapist_id = $1 AND ended_at < now() - interval '30 days'`,
    [therapistId],
  );
  await client.query(
    'INSERT INTO gateway.sessions (therapist_id, id, created_at, method) VALUES ($1, $2, $3, $4)',
    [therapistId, id, signedIn.at, signedIn.method],
  );
  const refreshToken = randomBytes(REFRESH_TOKEN_BYTES).toString('base64url');
  await keepRefreshToken(client, { therapistId, sessionId: id }, { token: refreshToken, at: signedIn.at });
  return { id, refreshToken, signedIn };
}

/** Lets a session be continued with a token; it may be that it can be already. */
export async function keepRefreshToken(
  client: ClientBase,
  session: { therapistId: string; sessionId: string },
  { token, at }: { readonly token: string; readonly at: Date },
): Promise<void> {
  await client.query(
    `INSERT INTO gateway.refresh_tokens (therapist_id, session_id, token_hash, created_at)
     VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
    [session.therapistId, session.sessionId, tokenHash(token), at],
  );
}

/** The stored token behind a hash that the transaction's caller has presented, locked against its own twin. */
export async function refreshTokenByHash(
  client: ClientBase,
  hash: string,
): Promise<StoredRefreshToken | undefined> {
  const { rows } = await client.query<StoredRefreshToken>(
    `SELECT therapist_id AS "therapistId", session_id AS "sessionId", used_at AS "usedAt"
     FROM gateway.refresh_tokens WHERE token_hash = $1 FOR UPDATE`,
    [hash],
  );
  return rows[0];
}

export async function markRefreshTokenUsed(client: ClientBase, hash: string, now: Date): Promise<void> {
  await client.query('UPDATE gateway.refresh_tokens SET used_at = $2 WHERE token_hash = $1', [hash, now]);
}

/** How a session of the practice that the transaction acts for began, if it still goes on. */
export async function openSessionById(
  client: ClientBase,
  therapistId: string,
  id: string,
): Promise<SignedIn | undefined> {
  const { rows } = await client.query<SignedIn>(
    `SELECT created_at AS "at", method FROM gateway.sessions
     WHERE therapist_id = $1 AND id = $2 AND ended_at IS NULL`,
    [therapistId, id],
  );
  return rows[0];
}

/** Which sessions of a practice a sign-out ends, seen from the one that asks. */
export type SignOutScope = 'global' | 'local' | 'others';

/** Ends sessions. Returns the ids of those that were open. */
export async function endSessions(
  client: ClientBase,
  session: { readonly therapistId: string; readonly sessionId: string },
  scope: SignOutScope,
): Promise<string[]> {
  const which = { global: 'true', local: 'id = $2', others: 'id <> $2' }[scope];
  const { rows } = await client.query<{ id: string }>(
    `UPDATE gateway.sessions SET ended_at = now()
     WHERE therapist_id = $1 AND ended_at IS NULL AND $2::uuid IS NOT NULL AND ${which} RETURNING id`,
    [session.therapistId, session.sessionId],
  );
  return rows.map(({ id }) => id);
}
