// Signing keys in the database. Each signs from its `signs_from` on, until that of the next one.

import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { JsonWebKey } from 'node:crypto';
import type { ClientBase } from 'pg';
import type { KeySeal } from './key-seal.js';

export interface StoredKey {
  readonly kid: string;
  readonly publicJwk: JsonWebKey;
  /** Null for a key that only verifies. */
  readonly sealed: string | null;
  /** Milliseconds from now until it signs; negative once it does. */
  readonly signsInMs: number;
}

const ALL = `SELECT kid, public_jwk, sealed_private_key, signs_from,
  lead(signs_from) OVER (ORDER BY signs_from, kid) AS superseded_at FROM identity.signing_keys`;

/**
 * Keys in the order in which they sign, without those whose tokens have all expired.
 * @param aliveSeconds how long tokens stay valid after their key was superseded
 */
export async function storedKeys(client: ClientBase, aliveSeconds: number): Promise<StoredKey[]> {
  const { rows } = await client.query<StoredKey>(
    `SELECT kid, public_jwk AS "publicJwk", sealed_private_key AS sealed,
       (extract(epoch FROM signs_from - clock_timestamp()) * 1000)::float8 AS "signsInMs"
     FROM (${ALL}) AS keys WHERE superseded_at IS NULL OR superseded_at > now() - make_interval(secs => $1)
     ORDER BY signs_from, kid`,
    [aliveSeconds],
  );
  return rows;
}

/**
 * Adds a key.
 * @param signsInSeconds seconds from now until it signs
 * @returns its id
 */
export async function addKey(client: ClientBase, seal: KeySeal, signsInSeconds: number): Promise<string> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = randomUUID();
  await client.query(
    `INSERT INTO identity.signing_keys (kid, public_jwk, sealed_private_key, signs_from)
     VALUES ($1, $2, $3, now() + make_interval(secs => $4))`,
    [kid, JSON.stringify(publicKey.export({ format: 'jwk' })), seal.seal(privateKey, kid), signsInSeconds],
  );
  return kid;
}

/**
 * Withdraws a key that has leaked: tokens signed with it are refused. If it is the active key, a new one takes over at once.
 * @returns whether there was such a key
 */
export async function withdrawKey(client: ClientBase, seal: KeySeal, kid: string): Promise<boolean> {
  const { rows } = await client.query<{ wasSigning: boolean }>(
    `DELETE FROM identity.signing_keys AS gone WHERE kid = $1
     RETURNING signs_from <= now() AND NOT EXISTS
       (SELECT 1 FROM identity.signing_keys AS next WHERE next.signs_from <= now()
         AND (next.signs_from, next.kid) > (gone.signs_from, gone.kid)) AS "wasSigning"`,
    [kid],
  );
  const [gone] = rows;
  if (gone?.wasSigning === true) await addKey(client, seal, 0);
  return gone !== undefined;
}

/** When several processes would add a key at the same time, one does and the others find it. Held until the transaction ends. */
export async function lockKeys(client: ClientBase): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock(hashtext('identity.signing_keys'))`);
}

/** Deletes keys that were superseded so long ago. */
export async function forgetKeys(client: ClientBase, aliveSeconds: number): Promise<void> {
  await client.query(
    `DELETE FROM identity.signing_keys WHERE kid IN
       (SELECT kid FROM (${ALL}) AS keys WHERE superseded_at <= now() - make_interval(secs => $1))`,
    [aliveSeconds],
  );
}
