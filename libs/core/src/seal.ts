// Encrypts secrets and personal values in the database. The key is not in the database, so a copy of the database reveals none of them.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FORMAT = 'v1.';

export class Seal {
  private readonly key: Uint8Array;

  /**
   * @param secret at least 32 random characters
   * @param purpose a secret that was sealed for one purpose cannot be opened for another purpose
   */
  constructor(secret: string, purpose: string) {
    this.key = new Uint8Array(hkdfSync('sha256', secret, '', purpose, KEY_BYTES));
  }

  /** @param id the id of the record that has the secret; the secret can be opened only with the same id */
  seal(plain: Uint8Array, id: string): string {
    return FORMAT + this.sealBytes(plain, id).toString('base64url');
  }

  /** The secret; undefined if it was sealed with another key or for another id. */
  open(sealed: string, id: string): Buffer | undefined {
    if (!sealed.startsWith(FORMAT)) return undefined;
    try {
      return this.openBytes(Buffer.from(sealed.slice(FORMAT.length), 'base64url'), id);
    } catch {
      return undefined;
    }
  }

  /** As `seal`; the sealed form is bytes instead of text. */
  sealBytes(plain: Uint8Array, id: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, nonce).setAAD(Buffer.from(id));
    const sealed = [cipher.update(plain), cipher.final()];
    return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]);
  }

  /** @throws {Error} if the bytes were sealed with another key or for another id */
  openBytes(sealed: Uint8Array, id: string): Buffer {
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const begin = NONCE_BYTES + TAG_BYTES;
    const decipher = createDecipheriv(CIPHER, this.key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(id)).setAuthTag(sealed.subarray(NONCE_BYTES, begin));
    return Buffer.concat([decipher.update(sealed.subarray(begin)), decipher.final()]);
  }
}
