// Encrypts private keys in the database. The encryption key is not in the database, so a copy of it cannot sign tokens.

import { createCipheriv, createDecipheriv, createPrivateKey, hkdfSync, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FORMAT = 'v1.';

export class KeySeal {
  private readonly key: Uint8Array;

  /** @param secret at least 32 random characters */
  constructor(secret: string) {
    this.key = new Uint8Array(hkdfSync('sha256', secret, '', 'practice signing keys', KEY_BYTES));
  }

  /** @param kid the key's id; it can be opened only with the same id */
  seal(privateKey: KeyObject, kid: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, nonce).setAAD(Buffer.from(kid));
    const plain = privateKey.export({ format: 'der', type: 'pkcs8' });
    const sealed = [cipher.update(plain), cipher.final()];
    return FORMAT + Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString('base64url');
  }

  /** The key; undefined when it was sealed with another secret or for another id. */
  open(sealed: string, kid: string): KeyObject | undefined {
    if (!sealed.startsWith(FORMAT)) return undefined;
    const bytes = Buffer.from(sealed.slice(FORMAT.length), 'base64url');
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    try {
      const decipher = createDecipheriv(CIPHER, this.key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(kid)).setAuthTag(tag);
      const plain = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
      return createPrivateKey({ key: Buffer.concat(plain), format: 'der', type: 'pkcs8' });
    } catch {
      return undefined;
    }
  }
}
