// Private keys at rest: sealed with a key that the database does not know, so that a copy of the database signs nothing.

import { createCipheriv, createDecipheriv, createPrivateKey, hkdfSync, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FORMAT = 'v1.';

export class KeySeal {
  private readonly key: Uint8Array;

  /** @param secret at least 32 characters, of which an attacker can guess none */
  constructor(secret: string) {
    this.key = new Uint8Array(hkdfSync('sha256', secret, '', 'practice signing keys', KEY_BYTES));
  }

  /** @param kid what the key is called; it opens under no other name */
  seal(privateKey: KeyObject, kid: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, nonce).setAAD(Buffer.from(kid));
    const plain = privateKey.export({ format: 'der', type: 'pkcs8' });
    const sealed = [cipher.update(plain), cipher.final()];
    return FORMAT + Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString('base64url');
  }

  /** The key, or undefined when it was sealed with another secret, or under another name. */
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
