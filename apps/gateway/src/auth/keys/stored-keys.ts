// Signing keys as the database holds them. Each signs from its time on, until the next one's time has come.

import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { JsonWebKey } from 'node:crypto';
import type { ClientBase } from 'pg';
import type { KeySeal } from './key-seal.js';

/** A public key as callers fetch it to verify tokens themselves. */
export type PublicJwk = JsonWebKey & { readonly kid: string; readonly alg: 'ES256'; readonly use: 'sig' };

export interface StoredKey {
  readonly kid: string;
  readonly publicJwk: JsonWebKey;
  /** Null for a key that only verifies any more. */
  readonly sealed: string | null;
  /** Milliseconds from now until it signs; negative once it does. */
  readonly signsInMs: number;
}

/** Gateways listen here for keys that were added or withdrawn. */
export const KEYS_CHANNEL = 'gateway_signing_keys';

const ALL = `SELECT kid, public_jwk, sealed_private_key, signs_from,
  lead(signs_from) OVER (ORDER BY signs_from, kid) AS superseded_at FROM gateway.signing_keys`;

/**
 * Keys in the order in which they sign, without those that no living token was signed with.
 * @param aliveSeconds how long a token that was signed just before its key was superseded may still be shown
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
 * Adds a key and tells every gateway, once the transaction is committed.
 * @param signsInSeconds how long from now until it signs
 * @returns what it is called
 */
export async function addKey(client: ClientBase, seal: KeySeal, signsInSeconds: number): Promise<string> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = randomUUID();
  await client.query(
    `INSERT INTO gateway.signing_keys (kid, public_jwk, sealed_private_key, signs_from)
     VALUES ($1, $2, $3, now() + make_interval(secs => $4))`,
    [kid, JSON.stringify(publicKey.export({ format: 'jwk' })), seal.seal(privateKey, kid), signsInSeconds],
  );
  await client.query('SELECT pg_notify($1, $2)', [KEYS_CHANNEL, kid]);
  return kid;
}

/**
 * Takes a key back that others may have come to know: what it signed is believed no longer. In place of the one that
 * signs a new one does, at once.
 * @returns whether there was such a key
 */
export async function withdrawKey(client: ClientBase, seal: KeySeal, kid: string): Promise<boolean> {
  const { rows } = await client.query<{ wasSigning: boolean }>(
    `DELETE FROM gateway.signing_keys AS gone WHERE kid = $1
     RETURNING signs_from <= now() AND NOT EXISTS
       (SELECT 1 FROM gateway.signing_keys AS next WHERE next.signs_from <= now()
         AND (next.signs_from, next.kid) > (gone.signs_from, gone.kid)) AS "wasSigning"`,
    [kid],
  );
  const [gone] = rows;
  if (gone?.wasSigning === true) await addKey(client, seal, 0);
  else if (gone !== undefined) await client.query('SELECT pg_notify($1, $2)', [KEYS_CHANNEL, kid]);
  return gone !== undefined;
}

/** Of several that would add a key at the same time one does, and the others find it. Until the transaction ends. */
export async function lockKeys(client: ClientBase): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock(hashtext('gateway.signing_keys'))`);
}

/** Forgets keys that were superseded so long ago. */
export async function forgetKeys(client: ClientBase, aliveSeconds: number): Promise<void> {
  await client.query(
    `DELETE FROM gateway.signing_keys WHERE kid IN
       (SELECT kid FROM (${ALL}) AS keys WHERE superseded_at <= now() - make_interval(secs => $1))`,
    [aliveSeconds],
  );
}
