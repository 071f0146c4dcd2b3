// Signing keys in the database. Each key signs from its `signs_from` until the `signs_from` of the next key.

import { createPrivateKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';
import { Keyring } from '@practice/log';
import type { EntityManager } from 'typeorm';
import { StoredSigningKey } from '../store/account.entities.js';
import { inPast } from '../store/database.js';
import { selectLiveKeys } from '../store/raw-sql.js';

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
 * Withdraws a key that has leaked: tokens signed with it are refused. If it is the active key, a new key signs at once.
 * @returns whether there was such a key
 */
export async function withdrawKey(tables: EntityManager, seal: KeySeal, kid: string): Promise<boolean> {
  const order = { signsFrom: 'DESC', kid: 'DESC' } as const;
  const active = await tables.findOne(StoredSigningKey, { where: { signsFrom: inPast }, order });
  const { affected } = await tables.delete(StoredSigningKey, { kid });
  if (active?.kid === kid) await addKey(tables, seal, 0);
  return affected === 1;
}

// Encrypts private keys in the database, so a copy of the database cannot sign tokens.

/** The purpose of the seal. */
export const SIGNING_KEYS = 'practice signing keys';

const DER = { format: 'der', type: 'pkcs8' } as const;

export class KeySeal {
  private readonly secrets: Keyring;

  /** @param keyEncryptionKey in the format of `Keyring` */
  constructor(keyEncryptionKey: string) {
    this.secrets = new Keyring(keyEncryptionKey, SIGNING_KEYS);
  }

  /** @param kid the key's id; it can be opened only with the same id */
  seal(privateKey: KeyObject, kid: string): string {
    return this.secrets.seal(privateKey.export(DER), kid);
  }

  /** The key; undefined when no key-encryption key opens it, or when it was sealed for another id. */
  open(sealed: string, kid: string): KeyObject | undefined {
    const key = this.secrets.find(sealed, kid);
    return key && createPrivateKey({ key, ...DER });
  }
}
