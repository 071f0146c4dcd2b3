import { createHmac, hkdfSync } from 'node:crypto';
import { REFRESH_TOKEN_BYTES } from './sessions.js';

const KEY_BYTES = 32;

/**
 * Derives the next refresh token from the one that was used. Browser tabs that send the same token at the same time get the
 * same next one, although only hashes are stored. So a session has one line of tokens, and reuse of a stolen token is
 * detected.
 */
export class RefreshTokenRotation {
  private readonly key: Uint8Array;

  /** @param secret at least 32 random characters */
  constructor(secret: string) {
    this.key = new Uint8Array(hkdfSync('sha256', secret, '', 'practice refresh tokens', KEY_BYTES));
  }

  /** The token that follows; it cannot be derived without the secret. */
  after(token: string): string {
    const digest = createHmac('sha256', this.key).update(token).digest();
    return digest.subarray(0, REFRESH_TOKEN_BYTES).toString('base64url');
  }
}
