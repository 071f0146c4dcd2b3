import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import { AccountCommand } from '../calls/call.js';
import type { AccountHandler } from '../calls/call.js';
import { emailOf, isText } from '../calls/fields.js';
import { missingResendAddress, missingResendType, noPhone, refuse } from '../calls/problems.js';
import { IDENTITY_CONFIG } from '../identity.config.js';
import type { IdentityConfig } from '../identity.config.js';
import { MailGate } from '../notices/mail-gate.js';
import { RequestAddressChange } from './request-address-change.js';
import { RequestSignUp } from './request-sign-up.js';

/** Sends the mails of a sign-up or of a new address again. Responds before anything is looked up. */
export class ResendMail extends AccountCommand {}

@CommandHandler(ResendMail)
export class ResendMailHandler implements AccountHandler<ResendMail> {
  constructor(
    private readonly signUps: RequestSignUp,
    private readonly addresses: RequestAddressChange,
    private readonly gate: MailGate,
    @Inject(IDENTITY_CONFIG) private readonly config: Pick<IdentityConfig, 'confirmsAddresses'>,
  ) {}

  /** @throws {Rejection} when the type or the address is missing, or a mail cannot be sent now */
  async execute({ call: { fields, parameters } }: ResendMail) {
    const { type, email: given, phone } = fields();
    if (type === 'sms' || type === 'phone_change' || isText(phone)) refuse(noPhone);
    if (type !== 'signup' && type !== 'email_change') return refuse(missingResendType);
    const email = emailOf(given) ?? refuse(missingResendAddress);
    // Where addresses are not confirmed, there is never such a mail.
    if (!this.config.confirmsAddresses) return { body: {} };
    await this.gate.pass(`${type === 'signup' ? 'sign-up' : 'resend'} ${email}`);
    const mails = type === 'signup' ? this.signUps : this.addresses;
    mails.again(email, parameters.get('redirect_to'));
    return { body: {} };
  }
}
