// Personal access tokens in the database: the hash of each, and its first characters, by which the owner recognizes it.

import { randomBytes, randomUUID } from 'node:crypto';
import { PERSONAL_TOKEN_MARK } from '@practice/contracts';
import type { ClientBase } from 'pg';
import { tokenHash } from '../sessions/sessions.js';
import type { Member } from '../sessions/sessions.js';

/** A request for a new token. */
export interface TokenRequest {
  readonly name: string;
  readonly expiresAt: Date;
  /** Null: everything that the user may do. */
  readonly scopes: readonly string[] | null;
}

/** A token as its owner sees it later. */
export interface ListedToken {
  readonly id: string;
  /** The practice that it acts in. */
  readonly therapist_id: string;
  readonly name: string;
  readonly prefix: string;
  /** Whether every scope is for reading. */
  readonly read_only: boolean;
  readonly scopes: readonly string[] | null;
  readonly expires_at: Date;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  readonly last_used_address: string | null;
}

/** A new token; its text is shown this once. */
export interface CreatedToken extends ListedToken {
  readonly token: string;
}

/** A token that a caller has presented. */
export interface PresentedToken {
  readonly id: string;
  readonly name: string;
  readonly userId: string;
  readonly therapistId: string;
  readonly scopes: readonly string[] | null;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
  readonly lastUsedAddress: string | null;
}

/** Tokens of one user at most. */
const MAX_TOKENS = 100;

const TOKEN_BYTES = 32;
/** 48 bits are shown; 208 stay secret. */
const SHOWN = PERSONAL_TOKEN_MARK.length + 8;

const LISTED = `id, therapist_id, name, prefix, coalesce(array_to_string(scopes, ' ') !~ ':write|rpc:', false) AS read_only,
  scopes, expires_at, created_at, last_used_at, last_used_address`;

/**
 * Makes a token for the user that the transaction acts for, and deletes tokens that expired more than 30 days ago.
 * @returns undefined when the user has the maximum already
 */
export async function insertToken(
  client: ClientBase,
  { userId, therapistId }: Member,
  { name, expiresAt, scopes }: TokenRequest,
): Promise<CreatedToken | undefined> {
  const token = PERSONAL_TOKEN_MARK + randomBytes(TOKEN_BYTES).toString('base64url');
  await client.query(
    `DELETE FROM identity.personal_tokens WHERE user_id = $1 AND expires_at < now() - interval '30 days'`,
    [userId],
  );
  const { rows } = await client.query<ListedToken>(
    `INSERT INTO identity.personal_tokens
       (user_id, id, therapist_id, name, token_hash, prefix, scopes, created_at, expires_at)
     SELECT $1, $2, $3, $4, $5, $6, $7, date_trunc('milliseconds', now()), $8
     WHERE (SELECT count(*) FROM identity.personal_tokens WHERE user_id = $1) < $9
     RETURNING ${LISTED}`,
    [
      userId,
      randomUUID(),
      therapistId,
      name,
      tokenHash(token),
      token.slice(0, SHOWN),
      scopes,
      expiresAt,
      MAX_TOKENS,
    ],
  );
  return rows[0] && { ...rows[0], token };
}

/** The tokens of the user that the transaction acts for, the newest first. */
export async function listTokens(client: ClientBase, userId: string): Promise<ListedToken[]> {
  const { rows } = await client.query<ListedToken>(
    `SELECT ${LISTED} FROM identity.personal_tokens WHERE user_id = $1 ORDER BY created_at DESC, id`,
    [userId],
  );
  return rows;
}

/** Returns whether the token existed. */
export async function removeToken(client: ClientBase, userId: string, id: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'DELETE FROM identity.personal_tokens WHERE user_id = $1 AND id = $2',
    [userId, id],
  );
  return rowCount === 1;
}

/** The token behind a hash that the transaction's caller has presented. */
export async function tokenByHash(client: ClientBase, hash: string): Promise<PresentedToken | undefined> {
  const { rows } = await client.query<PresentedToken>(
    `SELECT id, name, user_id AS "userId", therapist_id AS "therapistId", scopes,
       expires_at AS "expiresAt", last_used_at AS "lastUsedAt", last_used_address AS "lastUsedAddress" FROM identity.personal_tokens WHERE token_hash = $1`,
    [hash],
  );
  return rows[0];
}

/** Removes all tokens of the user. Returns their ids. */
export async function removeTokens(client: ClientBase, userId: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'DELETE FROM identity.personal_tokens WHERE user_id = $1 RETURNING id',
    [userId],
  );
  return rows.map(({ id }) => id);
}

/** @param address the network address that the token was used from */
export async function noteUse(
  client: ClientBase,
  { userId, id }: PresentedToken,
  address: string,
): Promise<void> {
  await client.query(
    `UPDATE identity.personal_tokens SET last_used_at = date_trunc('milliseconds', now()), last_used_address = $3
     WHERE user_id = $1 AND id = $2`,
    [userId, id, address],
  );
}
