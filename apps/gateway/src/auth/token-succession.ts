import { createHmac, hkdfSync } from 'node:crypto';
import { REFRESH_TOKEN_BYTES } from './sessions.js';

const KEY_BYTES = 32;

/**
 * Tells which refresh token follows on another. It is worked out, not drawn: tabs that show the same one at the same time
 * get the same next one, though only hashes are kept. So a session never goes on in two lines, of which a thief could keep
 * one: whoever comes second with a token is found out.
 */
export class TokenSuccession {
  private readonly key: Uint8Array;

  /** @param secret at least 32 characters, of which an attacker can guess none */
  constructor(secret: string) {
    this.key = new Uint8Array(hkdfSync('sha256', secret, '', 'practice refresh tokens', KEY_BYTES));
  }

  /** The token after this one; nobody else can tell it. */
  after(token: string): string {
    const digest = createHmac('sha256', this.key).update(token).digest();
    return digest.subarray(0, REFRESH_TOKEN_BYTES).toString('base64url');
  }
}
