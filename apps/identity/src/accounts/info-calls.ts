import { Inject, Injectable } from '@nestjs/common';
import { IDENTITY_CONFIG } from '../identity.config.js';
import type { IdentityConfig } from '../identity.config.js';
import { SigningKeys } from '../keys/signing-keys.js';
import type { Handlers } from '../calls/call.js';

const SETTINGS = {
  external: { email: true, phone: false, anonymous_users: false },
  disable_signup: false,
  phone_autoconfirm: false,
  sms_provider: '',
  saml_enabled: false,
};

/** Supabase's own tools look for this name. */
const HEALTH = { version: 'v1', name: 'GoTrue', description: 'Accounts and sessions of the practice API' };

/** Calls about the auth API itself. */
@Injectable()
export class InfoCalls {
  constructor(
    private readonly keys: SigningKeys,
    @Inject(IDENTITY_CONFIG) private readonly config: Pick<IdentityConfig, 'confirmsAddresses'>,
  ) {}

  readonly handlers: Handlers<'publicKeys' | 'settings' | 'health'> = {
    publicKeys: async () => ({
      headers: { 'Cache-Control': 'public, max-age=600' },
      body: { keys: await this.keys.published() },
    }),
    settings: () => ({ body: { ...SETTINGS, mailer_autoconfirm: !this.config.confirmsAddresses } }),
    health: () => ({ body: HEALTH }),
  };
}
