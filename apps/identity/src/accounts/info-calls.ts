import { Injectable } from '@nestjs/common';
import { SigningKeys } from '../keys/signing-keys.js';
import type { Handlers } from './call.js';

const SETTINGS = {
  external: { email: true, phone: false, anonymous_users: false },
  disable_signup: false,
  mailer_autoconfirm: true,
  phone_autoconfirm: false,
  sms_provider: '',
  saml_enabled: false,
};

/** Supabase's own tools look for this name. */
const HEALTH = { version: 'v1', name: 'GoTrue', description: 'Accounts and sessions of the practice API' };

/** Calls about the auth API itself. */
@Injectable()
export class InfoCalls {
  constructor(private readonly keys: SigningKeys) {}

  readonly handlers: Handlers<'publicKeys' | 'settings' | 'health'> = {
    publicKeys: async () => ({
      headers: { 'Cache-Control': 'public, max-age=600' },
      body: { keys: await this.keys.published() },
    }),
    settings: () => ({ body: SETTINGS }),
    health: () => ({ body: HEALTH }),
  };
}
