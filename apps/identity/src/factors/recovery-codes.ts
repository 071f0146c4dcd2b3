// Recovery codes: each takes the place of an authenticator's code once. Only hashes are stored.

import { randomBytes } from 'node:crypto';
import type { ClientBase } from 'pg';
import { tokenHash } from '../sessions/sessions.js';

const COUNT = 10;
/** So many that a fast hash suffices. */
const CODE_BYTES = 16;
/** The shorter codes were made before. */
const CODE = /^(?:[0-9a-f]{32}|[0-9a-f]{20})$/;

/** Makes ten codes for the user that the transaction acts for. Earlier ones no longer count. */
export async function replaceRecoveryCodes(client: ClientBase, userId: string): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, () => randomBytes(CODE_BYTES).toString('hex'));
  await removeRecoveryCodes(client, userId);
  await client.query(
    'INSERT INTO identity.recovery_codes (user_id, code_hash) SELECT $1, unnest($2::text[])',
    [userId, codes.map((code) => hashOf(userId, code))],
  );
  return codes.map((code) => code.replace(/.{4}(?=.)/g, '$&-'));
}

/**
 * Uses a code up.
 * @param owner.held the practice whose hold it ends: only a code from before the hold proves anything there
 * @returns whether the user had it
 */
export async function useRecoveryCode(
  client: ClientBase,
  { userId, held }: { readonly userId: string; readonly held?: string },
  given: string,
): Promise<boolean> {
  const code = given.replace(/[\s-]/g, '').toLowerCase();
  if (!CODE.test(code)) return false;
  const { rowCount } = await client.query(
    `DELETE FROM identity.recovery_codes WHERE user_id = $1 AND code_hash = $2 AND
       CASE WHEN $3::uuid IS NULL THEN retired_at IS NULL ELSE retired_at <=
         (SELECT held_since FROM identity.access WHERE user_id = $1 AND therapist_id = $3) END`,
    [userId, hashOf(userId, code), held ?? null],
  );
  return rowCount === 1;
}

/** From now on the codes take the place of no authenticator. They only end holds. */
export async function retireRecoveryCodes(client: ClientBase, userId: string): Promise<void> {
  await client.query(
    'UPDATE identity.recovery_codes SET retired_at = now() WHERE user_id = $1 AND retired_at IS NULL',
    [userId],
  );
}

export async function removeRecoveryCodes(client: ClientBase, userId: string): Promise<void> {
  await client.query('DELETE FROM identity.recovery_codes WHERE user_id = $1', [userId]);
}

const hashOf = (userId: string, code: string): string => tokenHash(`${userId} ${code}`);
