// Encrypts private keys in the database, so a copy of the database cannot sign tokens.

import { createPrivateKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { Keyring } from '@practice/log';

/** The purpose of the seal. */
export const SIGNING_KEYS = 'practice signing keys';

const DER = { format: 'der', type: 'pkcs8' } as const;

export class KeySeal {
  private readonly secrets: Keyring;

  /** @param keyEncryptionKey as of `Keyring` */
  constructor(keyEncryptionKey: string) {
    this.secrets = new Keyring(keyEncryptionKey, SIGNING_KEYS);
  }

  /** @param kid the key's id; it can be opened only with the same id */
  seal(privateKey: KeyObject, kid: string): string {
    return this.secrets.seal(privateKey.export(DER), kid);
  }

  /** The key; undefined when it no key-encryption key opens it, or it was sealed for another id. */
  open(sealed: string, kid: string): KeyObject | undefined {
    const key = this.secrets.find(sealed, kid);
    return key && createPrivateKey({ key, ...DER });
  }
}
