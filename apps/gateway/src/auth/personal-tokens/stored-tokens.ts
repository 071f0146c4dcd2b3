// Personal access tokens as the database holds them: of each the hash, and a beginning by which its owner knows it again.

import { randomBytes, randomUUID } from 'node:crypto';
import type { ClientBase } from 'pg';
import { tokenHash } from '../sessions.js';

/** What an owner says of a token it wants. */
export interface TokenWish {
  readonly name: string;
  readonly expiresAt: Date | null;
  readonly isReadOnly: boolean;
}

/** A token as its owner sees it ever after. */
export interface ListedToken {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly read_only: boolean;
  readonly expires_at: Date | null;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

/** A token that somebody has presented. */
export interface PresentedToken {
  readonly id: string;
  readonly therapistId: string;
  readonly isReadOnly: boolean;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/** A practice has no more of them. */
export const MAX_TOKENS = 100;

const MARK = 'pat_';
const TOKEN_BYTES = 32;
/** 48 bits are shown; 208 stay secret. */
const SHOWN = MARK.length + 8;
const TOKEN = new RegExp(`^${MARK}[A-Za-z0-9_-]{43}$`);

const LISTED = 'id, name, prefix, read_only, expires_at, created_at, last_used_at';

/** Whether this is meant as a token of this kind. */
export const isMeantPersonal = (token: string): boolean => token.startsWith(MARK);

/** Whether this could be one at all. */
export const isPersonalToken = (token: string): boolean => TOKEN.test(token);

/**
 * Makes a token for the practice that the transaction acts for; undefined when it has enough. The token is shown this once.
 * Those that expired long ago are forgotten.
 */
export async function makeToken(
  client: ClientBase,
  therapistId: string,
  { name, expiresAt, isReadOnly }: TokenWish,
): Promise<(ListedToken & { readonly token: string }) | undefined> {
  const token = MARK + randomBytes(TOKEN_BYTES).toString('base64url');
  await client.query(
    `DELETE FROM gateway.personal_tokens WHERE therapist_id = $1 AND expires_at < now() - interval '30 days'`,
    [therapistId],
  );
  const { rows } = await client.query<ListedToken>(
    `INSERT INTO gateway.personal_tokens
       (therapist_id, id, name, token_hash, prefix, read_only, created_at, expires_at)
     SELECT $1, $2, $3, $4, $5, $6, date_trunc('milliseconds', now()), $7
     WHERE (SELECT count(*) FROM gateway.personal_tokens WHERE therapist_id = $1) < $8
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

/** All tokens of the practice that the transaction acts for, the newest first. */
export async function listTokens(client: ClientBase, therapistId: string): Promise<ListedToken[]> {
  const { rows } = await client.query<ListedToken>(
    `SELECT ${LISTED} FROM gateway.personal_tokens WHERE therapist_id = $1 ORDER BY created_at DESC, id`,
    [therapistId],
  );
  return rows;
}

/** Responses whether there was one. */
export async function removeToken(client: ClientBase, therapistId: string, id: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'DELETE FROM gateway.personal_tokens WHERE therapist_id = $1 AND id = $2',
    [therapistId, id],
  );
  return rowCount === 1;
}

/** The token behind a hash that the transaction's caller has presented. */
export async function tokenByHash(client: ClientBase, hash: string): Promise<PresentedToken | undefined> {
  const { rows } = await client.query<PresentedToken>(
    `SELECT id, therapist_id AS "therapistId", read_only AS "isReadOnly", expires_at AS "expiresAt",
       last_used_at AS "lastUsedAt" FROM gateway.personal_tokens WHERE token_hash = $1`,
    [hash],
  );
  return rows[0];
}

export async function noteUse(client: ClientBase, { therapistId, id }: PresentedToken): Promise<void> {
  await client.query(
    `UPDATE gateway.personal_tokens SET last_used_at = date_trunc('milliseconds', now())
     WHERE therapist_id = $1 AND id = $2`,
    [therapistId, id],
  );
}
