import { createHmac, hkdfSync } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { secretsIn } from '@practice/log';
import { IDENTITY_CONFIG, type IdentityConfig } from '../identity.config.js';
import { REFRESH_TOKEN_BYTES } from './sessions.js';

const KEY_BYTES = 32;

/**
 * Derives the next refresh token from the used token. Browser tabs that send the same token at the same time get the
 * same next token, although only hashes are stored. So a session has one line of tokens, and reuse of a stolen token is
 * detected. Only while the key is replaced may two tabs get different next tokens; both are valid.
 */
@Injectable()
export class RefreshTokenRotation {
  private readonly secrets: () => readonly string[];

  /** Uses the newest key-encryption key. */
  constructor(@Inject(IDENTITY_CONFIG) config: Pick<IdentityConfig, 'keyEncryptionKey'>) {
    this.secrets = secretsIn(config.keyEncryptionKey);
  }

  /** The next token. It cannot be derived without the secret. */
  after(token: string): string {
    const [secret = ''] = this.secrets();
    const key = new Uint8Array(hkdfSync('sha256', secret, '', 'practice refresh tokens', KEY_BYTES));
    const digest = createHmac('sha256', key).update(token).digest();
    return digest.subarray(0, REFRESH_TOKEN_BYTES).toString('base64url');
  }
}
