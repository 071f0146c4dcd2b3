// Personal access tokens in the database: the hash of each, and its first characters, by which the owner recognizes it.

import { randomBytes, randomUUID } from 'node:crypto';
import { PERSONAL_TOKEN_MARK } from '@practice/contracts';
import type { ClientBase } from 'pg';
import { tokenHash } from '../sessions/sessions.js';

/** A request for a new token. */
export interface TokenRequest {
  readonly name: string;
  readonly expiresAt: Date | null;
  readonly isReadOnly: boolean;
}

/** A token as its owner sees it later. */
export interface ListedToken {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly read_only: boolean;
  readonly expires_at: Date | null;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

/** A new token; its text is shown this once. */
export interface CreatedToken extends ListedToken {
  readonly token: string;
}

/** A token that a caller has presented. */
export interface PresentedToken {
  readonly id: string;
  readonly therapistId: string;
  readonly isReadOnly: boolean;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/** Tokens of one practice at most. */
const MAX_TOKENS = 100;

const TOKEN_BYTES = 32;
/** 48 bits are shown; 208 stay secret. */
const SHOWN = PERSONAL_TOKEN_MARK.length + 8;

const LISTED = 'id, name, prefix, read_only, expires_at, created_at, last_used_at';

/**
 * Makes a token for the practice that the transaction acts for, and deletes tokens that expired more than 30 days ago.
 * @returns undefined when the practice has the maximum already
 */
export async function insertToken(
  client: ClientBase,
  therapistId: string,
  { name, expiresAt, isReadOnly }: TokenRequest,
): Promise<CreatedToken | undefined> {
  const token = PERSONAL_TOKEN_MARK + randomBytes(TOKEN_BYTES).toString('base64url');
  await client.query(
    `DELETE FROM identity.personal_tokens WHERE therapist_id = $1 AND expires_at < now() - interval '30 days'`,
    [therapistId],
  );
  const { rows } = await client.query<ListedToken>(
    `INSERT INTO identity.personal_tokens
       (therapist_id, id, name, token_hash, prefix, read_only, created_at, expires_at)
     SELECT $1, $2, $3, $4, $5, $6, date_trunc('milliseconds', now()), $7
     WHERE (SELECT count(*) FROM identity.personal_tokens WHERE therapist_id = $1) < $8
     RETURNING ${LISTED}`,
    [
      therapistId,
      randomUUID(),
      name,
      tokenHash(token),
      token.slice(0, SHOWN),
      isReadOnly,
      expiresAt,
      MAX_TOKENS,
    ],
  );
  return rows[0] && { ...rows[0], token };
}

/** The tokens of the practice that the transaction acts for, the newest first. */
export async function listTokens(client: ClientBase, therapistId: string): Promise<ListedToken[]> {
  const { rows } = await client.query<ListedToken>(
    `SELECT ${LISTED} FROM identity.personal_tokens WHERE therapist_id = $1 ORDER BY created_at DESC, id`,
    [therapistId],
  );
  return rows;
}

/** Returns whether the token existed. */
export async function removeToken(client: ClientBase, therapistId: string, id: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'DELETE FROM identity.personal_tokens WHERE therapist_id = $1 AND id = $2',
    [therapistId, id],
  );
  return rowCount === 1;
}

/** The token behind a hash that the transaction's caller has presented. */
export async function tokenByHash(client: ClientBase, hash: string): Promise<PresentedToken | undefined> {
  const { rows } = await client.query<PresentedToken>(
    `SELECT id, therapist_id AS "therapistId", read_only AS "isReadOnly", expires_at AS "expiresAt",
       last_used_at AS "lastUsedAt" FROM identity.personal_tokens WHERE token_hash = $1`,
    [hash],
  );
  return rows[0];
}

export async function noteUse(client: ClientBase, { therapistId, id }: PresentedToken): Promise<void> {
  await client.query(
    `UPDATE identity.personal_tokens SET last_used_at = date_trunc('milliseconds', now())
     WHERE therapist_id = $1 AND id = $2`,
    [therapistId, id],
  );
}
