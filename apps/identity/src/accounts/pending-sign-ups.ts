// Sign-ups whose address is not confirmed, in the database. The transaction's caller presents the address or the token.

import type { ClientBase } from 'pg';

/** A sign-up as it was asked for. */
export interface PendingSignUp {
  /** The id of the account that the confirmation makes. */
  readonly userId: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly metadata: object;
  /** The code challenge to answer, if there is one. */
  readonly challenge: string | null;
}

const LIVES = `interval '24 hours'`;
const COLUMNS = `user_id AS "userId", email, password_hash AS "passwordHash", metadata, code_challenge AS challenge`;

/** @param hash of the token that is mailed */
export async function keepSignUp(client: ClientBase, signUp: PendingSignUp, hash: string): Promise<void> {
  const { userId, email, passwordHash, metadata, challenge } = signUp;
  await client.query(
    `INSERT INTO identity.pending_sign_ups
       (user_id, email, token_hash, password_hash, metadata, code_challenge, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, now(), now() + ${LIVES})`,
    [userId, email, hash, passwordHash, metadata, challenge],
  );
}

/** Gives the latest sign-up of an address another token. Returns whether there is one. */
export async function renewToken(client: ClientBase, email: string, hash: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE identity.pending_sign_ups SET token_hash = $2, expires_at = now() + ${LIVES}
     WHERE user_id = (SELECT user_id FROM identity.pending_sign_ups WHERE email = $1 AND expires_at > now()
       ORDER BY created_at DESC, user_id DESC LIMIT 1)`,
    [email, hash],
  );
  return rowCount === 1;
}

/** The sign-up of a token; undefined when the token does not exist or has expired. */
export async function signUpByHash(client: ClientBase, hash: string): Promise<PendingSignUp | undefined> {
  const { rows } = await client.query<PendingSignUp>(
    `SELECT ${COLUMNS} FROM identity.pending_sign_ups WHERE token_hash = $1 AND expires_at > now()`,
    [hash],
  );
  return rows[0];
}

/** Deletes all sign-ups of an address. Returns the ids of the accounts that they would have made. */
export async function dropSignUps(client: ClientBase, email: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ userId: string }>(
    'DELETE FROM identity.pending_sign_ups WHERE email = $1 RETURNING user_id AS "userId"',
    [email],
  );
  return rows.map(({ userId }) => userId);
}
