// Calls about the auth API itself.

import { Inject } from '@nestjs/common';
import { QueryHandler } from '@nestjs/cqrs';
import { type AccountCall, type AccountHandler, AccountQuery } from '../calls/call.js';
import { emailOf, isText } from '../calls/fields.js';
import { type AuthProblem, problems } from '../calls/problems.js';
import { IDENTITY_CONFIG, type IdentityConfig } from '../identity.config.js';
import { SigningKeys } from '../keys/signing-keys.js';

export class PublicKeys extends AccountQuery {}

@QueryHandler(PublicKeys)
export class PublicKeysHandler implements AccountHandler<PublicKeys> {
  constructor(private readonly keys: SigningKeys) {}

  async execute() {
    return {
      headers: { 'Cache-Control': 'public, max-age=600' },
      body: { keys: await this.keys.published() },
    };
  }
}

const SETTINGS = {
  external: { email: true, phone: false, anonymous_users: false },
  disable_signup: false,
  phone_autoconfirm: false,
  sms_provider: '',
  saml_enabled: false,
};

export class ReadSettings extends AccountQuery {}

@QueryHandler(ReadSettings)
export class ReadSettingsHandler implements AccountHandler<ReadSettings> {
  constructor(@Inject(IDENTITY_CONFIG) private readonly config: Pick<IdentityConfig, 'confirmsAddresses'>) {}

  async execute() {
    return { body: { ...SETTINGS, mailer_autoconfirm: !this.config.confirmsAddresses } };
  }
}

/** Supabase's own tools look for this name. */
const HEALTH = { version: 'v1', name: 'GoTrue', description: 'Accounts and sessions of the practice API' };

export class ReadHealth extends AccountQuery {}

@QueryHandler(ReadHealth)
export class ReadHealthHandler implements AccountHandler<ReadHealth> {
  async execute() {
    return { body: HEALTH };
  }
}

export function otpProblem({ fields }: AccountCall): AuthProblem {
  const { email, phone } = fields();
  if (isText(phone)) return problems.noPhone;
  return emailOf(email) === undefined ? problems.missingOtpAddress : problems.otpDisabled;
}
