import { Inject, Injectable } from '@nestjs/common';
import type { AccountCall } from '../calls/call.js';
import { emailOf, isText } from '../calls/fields.js';
import { missingResendAddress, missingResendType, noPhone, refuse } from '../calls/problems.js';
import { IDENTITY_CONFIG } from '../identity.config.js';
import type { IdentityConfig } from '../identity.config.js';
import { MailGate } from '../notices/mail-gate.js';
import { RequestAddressChange } from './request-address-change.js';
import { RequestSignUp } from './request-sign-up.js';

/** Sends the mails of a sign-up or of a new address again. Responds before anything is looked up. */
@Injectable()
export class ResendMail {
  constructor(
    private readonly signUps: RequestSignUp,
    private readonly addresses: RequestAddressChange,
    private readonly gate: MailGate,
    @Inject(IDENTITY_CONFIG) private readonly config: Pick<IdentityConfig, 'confirmsAddresses'>,
  ) {}

  /** @throws {Rejection} when the type or the address is missing, or a mail cannot be sent now */
  async execute({ fields, parameters }: Pick<AccountCall, 'fields' | 'parameters'>): Promise<void> {
    const { type, email: given, phone } = fields();
    if (type === 'sms' || type === 'phone_change' || isText(phone)) refuse(noPhone);
    if (type !== 'signup' && type !== 'email_change') return refuse(missingResendType);
    const email = emailOf(given) ?? refuse(missingResendAddress);
    // Where addresses are not confirmed, there is never such a mail.
    if (!this.config.confirmsAddresses) return;
    await this.gate.pass(`${type === 'signup' ? 'sign-up' : 'resend'} ${email}`);
    const mails = type === 'signup' ? this.signUps : this.addresses;
    mails.again(email, parameters.get('redirect_to'));
  }
}
