// Calls about the auth API itself.

import { Inject } from '@nestjs/common';
import { QueryHandler } from '@nestjs/cqrs';
import { AccountQuery } from '../calls/call.js';
import type { AccountCall, AccountHandler } from '../calls/call.js';
import { emailOf, isText } from '../calls/fields.js';
import { missingOtpAddress, noPhone, otpDisabled, refuse } from '../calls/problems.js';
import type { AuthProblem } from '../calls/problems.js';
import { IDENTITY_CONFIG } from '../identity.config.js';
import type { IdentityConfig } from '../identity.config.js';
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

/** A call of Supabase's clients that this API does not offer, refused with the code and message that the clients know. */
export class NotOffered extends AccountQuery {
  constructor(
    call: AccountCall,
    readonly problemOf: (call: AccountCall) => AuthProblem,
  ) {
    super(call);
  }
}

@QueryHandler(NotOffered)
export class NotOfferedHandler implements AccountHandler<NotOffered> {
  async execute({ call, problemOf }: NotOffered) {
    return refuse(problemOf(call));
  }
}

export function otpProblem({ fields }: AccountCall): AuthProblem {
  const { email, phone } = fields();
  if (isText(phone)) return noPhone;
  return emailOf(email) === undefined ? missingOtpAddress : otpDisabled;
}
