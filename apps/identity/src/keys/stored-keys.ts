// Signing keys in the database. Each signs from its `signs_from` on, until that of the next one.

import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { JsonWebKey } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { StoredSigningKey } from '../store/account.entities.js';
import { inPast } from '../store/database.js';
import { selectLiveKeys } from '../store/raw-sql.js';
import type { KeySeal } from './key-seal.js';

export interface StoredKey {
  readonly kid: string;
  readonly publicJwk: JsonWebKey;
  /** Null for a key that only verifies. */
  readonly sealed: string | null;
  /** Milliseconds from now until it signs; negative once it does. */
  readonly signsInMs: number;
}

/**
 * Keys in the order in which they sign, without those whose tokens have all expired.
 * @param aliveSeconds how long tokens stay valid after their key was superseded
 */
export const storedKeys = (tables: EntityManager, aliveSeconds: number): Promise<StoredKey[]> =>
  tables.query(...selectLiveKeys(aliveSeconds));

/**
 * Adds a key.
 * @param signsInSeconds seconds from now until it signs
 * @returns its id
 */
export async function addKey(tables: EntityManager, seal: KeySeal, signsInSeconds: number): Promise<string> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = randomUUID();
  await tables.insert(StoredSigningKey, {
    kid,
    publicJwk: publicKey.export({ format: 'jwk' }) as object,
    sealedPrivateKey: seal.seal(privateKey, kid),
    signsFrom: () => `now() + interval '${signsInSeconds} seconds'`,
  });
  return kid;
}

/**
 * Withdraws a key that has leaked: tokens signed with it are refused. If it is the active key, a new one takes over at once.
 * @returns whether there was such a key
 */
export async function withdrawKey(tables: EntityManager, seal: KeySeal, kid: string): Promise<boolean> {
  const order = { signsFrom: 'DESC', kid: 'DESC' } as const;
  const active = await tables.findOne(StoredSigningKey, { where: { signsFrom: inPast }, order });
  const { affected } = await tables.delete(StoredSigningKey, { kid });
  if (active?.kid === kid) await addKey(tables, seal, 0);
  return affected === 1;
}
