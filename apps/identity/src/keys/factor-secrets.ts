import { Inject, Injectable } from '@nestjs/common';
import { Keyring } from '@practice/log';
import { IDENTITY_CONFIG } from '../identity.config.js';
import type { IdentityConfig } from '../identity.config.js';

/** The purpose of the seal. */
export const SECOND_FACTORS = 'practice second factors';

/** Encrypts the secrets of authenticator apps, so a copy of the database makes no codes. */
@Injectable()
export class FactorSecrets {
  private readonly secrets: Keyring;

  constructor(@Inject(IDENTITY_CONFIG) config: Pick<IdentityConfig, 'keyEncryptionKey'>) {
    this.secrets = new Keyring(config.keyEncryptionKey, SECOND_FACTORS);
  }

  seal(secret: Uint8Array, factorId: string): string {
    return this.secrets.seal(secret, factorId);
  }

  /** The secret; undefined when no key of KEY_ENCRYPTION_KEY opens it. */
  open(sealed: string, factorId: string): Uint8Array | undefined {
    return this.secrets.find(sealed, factorId);
  }
}
