// Tokens that are sent by mail, each for one purpose, good once and for a while. Only hashes of them are kept.

import { randomBytes, randomInt } from 'node:crypto';
import type { ClientBase } from 'pg';
import { tokenHash } from '../sessions.js';

export type Purpose = 'recovery' | 'reauthentication';

const LIVES_SECONDS: Readonly<Record<Purpose, number>> = { recovery: 3600, reauthentication: 600 };
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
  { hash, purpose }: { readonly hash: string; readonly purpose: Purpose },
): Promise<void> {
  await client.query('DELETE FROM gateway.mailed_tokens WHERE therapist_id = $1 AND expires_at < now()', [
    therapistId,
  ]);
  await client.query(
    `INSERT INTO gateway.mailed_tokens (therapist_id, token_hash, purpose, expires_at)
     VALUES ($1, $2, $3, now() + make_interval(secs => $4)) ON CONFLICT DO NOTHING`,
    [therapistId, hash, purpose, LIVES_SECONDS[purpose]],
  );
}

/** Uses a token up. Answers whose it was; undefined when there is none, or it has expired. */
export async function useToken(
  client: ClientBase,
  hash: string,
  purpose: Purpose,
): Promise<string | undefined> {
  const { rows } = await client.query<{ id: string }>(
    `DELETE FROM gateway.mailed_tokens WHERE token_hash = $1 AND purpose = $2 AND expires_at > now()
     RETURNING therapist_id AS id`,
    [hash, purpose],
  );
  return rows[0]?.id;
}

/** Makes everything that was sent to the account so far worthless. */
export async function voidTokens(client: ClientBase, therapistId: string): Promise<void> {
  await client.query('DELETE FROM gateway.mailed_tokens WHERE therapist_id = $1', [therapistId]);
}
