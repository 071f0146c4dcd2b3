import { Keyring } from '@practice/log';
import { newKey, secretOf } from '../sending/signature.js';

/** The purpose of the seal. */
export const WEBHOOK_SECRETS = 'practice webhook secrets';

/** A new secret: as the receiver gets it, and as it is stored. */
export interface MadeSecret {
  readonly secret: string;
  readonly sealed: string;
}

/** Makes and opens the keys of webhooks, which are sealed in the database: a copy of it signs nothing. */
export class WebhookSecrets {
  private readonly keyring: Keyring;

  /** @param setting as of `Keyring` */
  constructor(setting: string) {
    this.keyring = new Keyring(setting, WEBHOOK_SECRETS);
  }

  make(webhookId: string): MadeSecret {
    const key = newKey();
    return { secret: secretOf(key), sealed: this.keyring.seal(key, webhookId) };
  }

  /** @throws {Error} when no key-encryption key opens it */
  open(sealed: string, webhookId: string): Buffer {
    const key = this.keyring.find(sealed, webhookId);
    if (key === undefined) throw new Error('no key-encryption key opens the secret of a webhook');
    return key;
  }
}
