// Tokens that are sent by mail: each is for one purpose, expires, and works once. Only hashes are stored.

import { randomBytes, randomInt } from 'node:crypto';
import type { ClientBase } from 'pg';
import { dropChange } from './address-changes.js';
import { tokenHash } from '../sessions/sessions.js';

export type Purpose = 'recovery' | 'reauthentication' | 'code';

/** A token that has just been used. */
export interface UsedToken {
  readonly userId: string;
  /** The code challenge to answer, if there is one. */
  readonly challenge: string | null;
}

const LIVES_SECONDS: Readonly<Record<Purpose, number>> = { recovery: 3600, reauthentication: 600, code: 300 };
const TOKEN_BYTES = 32;

/** It signs its holder in, so it must not be guessable. */
export const randomToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** Short, because it is typed by hand, by a user who is signed in. */
export const nonce = (): string => String(randomInt(1_000_000)).padStart(6, '0');

/** A nonce works for its own account only. */
export const nonceHash = (userId: string, given: string): string => tokenHash(`${userId} ${given}`);

/** Stores the hash of a token of the user that the transaction acts for, and deletes its expired ones. */
export async function keepToken(
  client: ClientBase,
  userId: string,
  {
    hash,
    purpose,
    challenge = null,
  }: { readonly hash: string; readonly purpose: Purpose; readonly challenge?: string | null },
): Promise<void> {
  await client.query('DELETE FROM identity.mailed_tokens WHERE user_id = $1 AND expires_at < now()', [
    userId,
  ]);
  await client.query(
    `INSERT INTO identity.mailed_tokens (user_id, token_hash, purpose, expires_at, code_challenge)
     VALUES ($1, $2, $3, now() + make_interval(secs => $4), $5) ON CONFLICT DO NOTHING`,
    [userId, hash, purpose, LIVES_SECONDS[purpose], challenge],
  );
}

/** Uses a token up. Returns undefined when it does not exist or has expired. */
export async function useToken(
  client: ClientBase,
  hash: string,
  purpose: Purpose,
): Promise<UsedToken | undefined> {
  const { rows } = await client.query<UsedToken>(
    `DELETE FROM identity.mailed_tokens WHERE token_hash = $1 AND purpose = $2 AND expires_at > now()
     RETURNING user_id AS "userId", code_challenge AS challenge`,
    [hash, purpose],
  );
  return rows[0];
}

/** Deletes all tokens that were mailed to the account, also the ones for a new address. */
export async function voidTokens(client: ClientBase, userId: string): Promise<void> {
  await dropChange(client, userId);
  await client.query('DELETE FROM identity.mailed_tokens WHERE user_id = $1', [userId]);
}
