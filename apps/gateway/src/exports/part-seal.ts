// Encrypts the stored parts of an archive with a key that is derived from the secret in its link. The secret is stored nowhere, so
// neither the database nor a copy of it reveals the archive.

import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const SECRET_BYTES = 32;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** Names an export in messages. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

export class PartSeal {
  private readonly key: Uint8Array;

  constructor(secret: string) {
    this.key = new Uint8Array(hkdfSync('sha256', secret, '', 'archive of an export', KEY_BYTES));
  }

  /** A part can be opened only as the part with this index. */
  seal(index: number, plain: Uint8Array): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, nonce, { authTagLength: TAG_BYTES }).setAAD(
      labelOf(index),
    );
    const sealed = [cipher.update(plain), cipher.final()];
    return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]);
  }

  /** @throws {Error} when it was sealed with another key, or as another part */
  open(index: number, sealed: Uint8Array): Buffer {
    const decipher = createDecipheriv(CIPHER, this.key, sealed.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    const begin = NONCE_BYTES + TAG_BYTES;
    decipher.setAAD(labelOf(index)).setAuthTag(sealed.subarray(NONCE_BYTES, begin));
    return Buffer.concat([decipher.update(sealed.subarray(begin)), decipher.final()]);
  }
}

const labelOf = (index: number): Buffer => Buffer.from(`part ${index}`);
