// Second factors of the user that the transaction acts for.

import type { ClientBase } from 'pg';

/** A factor as its user sees it. */
export interface Factor {
  readonly id: string;
  readonly friendly_name: string;
  readonly factor_type: 'totp';
  readonly status: 'verified' | 'unverified';
  readonly created_at: string;
  readonly updated_at: string;
  readonly last_challenged_at?: string;
}

/** A factor with the secret that it shares with an authenticator app. */
export interface StoredFactor {
  readonly id: string;
  readonly name: string;
  readonly sealedSecret: string;
  readonly isVerified: boolean;
  /** The step of the last code that counted: each code counts once. */
  readonly lastStep: number;
}

export interface NewFactor {
  readonly id: string;
  readonly name: string;
  readonly sealedSecret: string;
}

/** A user has so many at most. */
const MAX_FACTORS = 10;
const CHALLENGE_SECONDS = 300;

/** The factors of a row of `identity.credentials c`, as JSON for `users.ts`. */
export const factorsColumn = `(SELECT coalesce(json_agg(json_strip_nulls(json_build_object(
    'id', f.id, 'friendly_name', f.friendly_name, 'factor_type', 'totp',
    'status', CASE WHEN f.verified_at IS NULL THEN 'unverified' ELSE 'verified' END,
    'created_at', ${json('f.created_at')}, 'updated_at', ${json('f.updated_at')},
    'last_challenged_at', ${json('f.last_challenged_at')})) ORDER BY f.created_at, f.id), '[]')
  FROM identity.mfa_factors f WHERE f.user_id = c.user_id)`;

/** Whether the user has passed an enrollment, so a password no longer suffices. */
export const hasSecondFactor = (factors: readonly Factor[]): boolean =>
  factors.some(({ status }) => status === 'verified');

/** The same for the user that the transaction acts for. */
export async function isEnrolled(client: ClientBase, userId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'SELECT 1 FROM identity.mfa_factors WHERE user_id = $1 AND verified_at IS NOT NULL LIMIT 1',
    [userId],
  );
  return rowCount === 1;
}

/**
 * Adds a factor that counts once its first code was right. Enrollments that were not finished within an hour are deleted.
 * @returns whether the user has not had the maximum already
 */
export async function insertFactor(client: ClientBase, userId: string, factor: NewFactor): Promise<boolean> {
  await client.query(
    `DELETE FROM identity.mfa_factors
     WHERE user_id = $1 AND verified_at IS NULL AND created_at < now() - interval '1 hour'`,
    [userId],
  );
  const { rowCount } = await client.query(
    `INSERT INTO identity.mfa_factors (user_id, id, friendly_name, sealed_secret, created_at, updated_at)
     SELECT $1, $2, $3, $4, now(), now()
     WHERE (SELECT count(*) FROM identity.mfa_factors WHERE user_id = $1) < ${MAX_FACTORS}`,
    [userId, factor.id, factor.name, factor.sealedSecret],
  );
  return rowCount === 1;
}

/** The factor, locked until the transaction ends: of two requests with one code, the second sees that it was used. */
export async function lockedFactor(
  client: ClientBase,
  userId: string,
  id: string,
): Promise<StoredFactor | undefined> {
  const { rows } = await client.query<StoredFactor>(
    `SELECT id, friendly_name AS name, sealed_secret AS "sealedSecret", verified_at IS NOT NULL AS "isVerified",
       last_step::float8 AS "lastStep"
     FROM identity.mfa_factors WHERE user_id = $1 AND id = $2 FOR UPDATE`,
    [userId, id],
  );
  return rows[0];
}

/** Opens a challenge. Returns when it expires, in seconds since the epoch. */
export async function insertChallenge(
  client: ClientBase,
  userId: string,
  { id, factorId }: { readonly id: string; readonly factorId: string },
): Promise<number> {
  await client.query('DELETE FROM identity.mfa_challenges WHERE user_id = $1 AND expires_at < now()', [
    userId,
  ]);
  await client.query(
    'UPDATE identity.mfa_factors SET last_challenged_at = now() WHERE user_id = $1 AND id = $2',
    [userId, factorId],
  );
  const { rows } = await client.query<{ until: number }>(
    `INSERT INTO identity.mfa_challenges (user_id, id, factor_id, expires_at)
     VALUES ($1, $2, $3, now() + interval '${CHALLENGE_SECONDS} s')
     RETURNING floor(extract(epoch FROM expires_at))::float8 AS until`,
    [userId, id, factorId],
  );
  return rows[0]?.until ?? 0;
}

/** Whether the challenge is open; undefined when the factor never had it. A wrong code leaves it open. */
export async function isChallengeOpen(
  client: ClientBase,
  userId: string,
  { id, factorId }: { readonly id: string; readonly factorId: string },
): Promise<boolean | undefined> {
  const { rows } = await client.query<{ isOpen: boolean }>(
    `SELECT expires_at > now() AS "isOpen" FROM identity.mfa_challenges
     WHERE user_id = $1 AND id = $2 AND factor_id = $3`,
    [userId, id, factorId],
  );
  return rows[0]?.isOpen;
}

/** Deletes a challenge that was answered. */
export async function closeChallenge(client: ClientBase, userId: string, id: string): Promise<void> {
  await client.query('DELETE FROM identity.mfa_challenges WHERE user_id = $1 AND id = $2', [userId, id]);
}

/** The factor counts from its first right code on; enrollments that were not finished are deleted. */
export async function passFactor(
  client: ClientBase,
  userId: string,
  { id, step }: { readonly id: string; readonly step: number },
): Promise<void> {
  await client.query(
    `UPDATE identity.mfa_factors SET last_step = $3, verified_at = coalesce(verified_at, now()),
       updated_at = CASE WHEN verified_at IS NULL THEN now() ELSE updated_at END
     WHERE user_id = $1 AND id = $2`,
    [userId, id, step],
  );
  await client.query('DELETE FROM identity.mfa_factors WHERE user_id = $1 AND verified_at IS NULL', [userId]);
}

/** Removes one factor, or all. */
export async function removeFactors(client: ClientBase, userId: string, id?: string): Promise<void> {
  await client.query(
    'DELETE FROM identity.mfa_factors WHERE user_id = $1 AND ($2::uuid IS NULL OR id = $2)',
    [userId, id ?? null],
  );
}

function json(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
