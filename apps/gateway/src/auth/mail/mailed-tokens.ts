// Tokens that are sent by mail, each for one purpose, good once and for a while. Only hashes of them are kept.

import { randomBytes, randomInt } from 'node:crypto';
import type { ClientBase } from 'pg';
import { tokenHash } from '../sessions.js';

export type Purpose = 'recovery' | 'reauthentication' | 'code';

/** A token that was used up. */
export interface UsedToken {
  readonly therapistId: string;
  /** What its user has to answer, where one was made. */
  readonly challenge: string | null;
}

const LIVES_SECONDS: Readonly<Record<Purpose, number>> = { recovery: 3600, reauthentication: 600, code: 300 };
const TOKEN_BYTES = 32;

/** Whoever has it is let in, so it cannot be guessed. */
export const recoveryToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** Typed by hand, by somebody who is signed in already. */
export const nonce = (): string => String(randomInt(1_000_000)).padStart(6, '0');

/** A nonce is good for its own account alone. */
export const nonceHash = (therapistId: string, given: string): string => tokenHash(`${therapistId} ${given}`);

/** Keeps the hash of a token of the practice that the transaction acts for; those that expired go. */
export async function keepToken(
  client: ClientBase,
  therapistId: string,
  {
    hash,
    purpose,
    challenge = null,
  }: { readonly hash: string; readonly purpose: Purpose; readonly challenge?: string | null },
): Promise<void> {
  await client.query('DELETE FROM gateway.mailed_tokens WHERE therapist_id = $1 AND expires_at < now()', [
    therapistId,
  ]);
  await client.query(
    `INSERT INTO gateway.mailed_tokens (therapist_id, token_hash, purpose, expires_at, code_challenge)
     VALUES ($1, $2, $3, now() + make_interval(secs => $4), $5) ON CONFLICT DO NOTHING`,
    [therapistId, hash, purpose, LIVES_SECONDS[purpose], challenge],
  );
}

/** Uses a token up. Responses what it was; undefined when there is none, or it has expired. */
export async function useToken(
  client: ClientBase,
  hash: string,
  purpose: Purpose,
): Promise<UsedToken | undefined> {
  const { rows } = await client.query<UsedToken>(
    `DELETE FROM gateway.mailed_tokens WHERE token_hash = $1 AND purpose = $2 AND expires_at > now()
     RETURNING therapist_id AS "therapistId", code_challenge AS challenge`,
    [hash, purpose],
  );
  return rows[0];
}

/** Makes everything that was sent to the account so far worthless. */
export async function voidTokens(client: ClientBase, therapistId: string): Promise<void> {
  await client.query('DELETE FROM gateway.mailed_tokens WHERE therapist_id = $1', [therapistId]);
}
