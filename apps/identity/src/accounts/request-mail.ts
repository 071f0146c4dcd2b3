import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import { AccountCommand, type AccountHandler } from '../calls/call.js';
import { emailOf, isText } from '../calls/fields.js';
import { problems, refuse } from '../calls/problems.js';
import { IDENTITY_CONFIG, type IdentityConfig } from '../identity.config.js';
import { type Mail, OutgoingMail } from '../notices/outgoing-mail.js';
import { SiteLinks } from '../notices/site-links.js';
import { recoveryMail } from '../notices/templates.js';
import { Credential } from '../store/account.entities.js';
import { randomToken, tokenHash } from '../store/secrets.js';
import { actForUser, Transactions } from '../store/transactions.js';
import { keepToken, type MailOptions, mailOptionsOf } from '../users/mailed-tokens.js';
import { RequestAddressChange } from './address-change.js';
import { RequestSignUp } from './sign-up.js';

/**
 * Mails the owner of an address a link that signs in without a password. Responds before the address is looked up, so the response
 * does not reveal whether there is an account.
 */
export class RequestRecovery extends AccountCommand {}

@CommandHandler(RequestRecovery)
export class RequestRecoveryHandler implements AccountHandler<RequestRecovery> {
  constructor(
    private readonly transactions: Transactions,
    private readonly mail: OutgoingMail,
    private readonly links: SiteLinks,
  ) {}

  async execute({ call }: RequestRecovery) {
    const email = emailOf(call.fields()['email']) ?? refuse(problems.missingRecoveryEmail);
    const options = mailOptionsOf(call);
    await this.mail.admit(email);
    this.mail.sendLater(() => this.write(email, options));
    return { body: {} };
  }

  private async write(email: string, { redirectTo, challenge }: MailOptions): Promise<Mail | undefined> {
    const token = randomToken();
    const isKnown = await this.transactions.run({ presented: email }, async (tables) => {
      const credential = await tables.findOneBy(Credential, { email });
      if (credential === null) return false;
      const { userId } = credential;
      await actForUser(tables, userId);
      await keepToken(tables, userId, { hash: tokenHash(token), purpose: 'recovery', challenge });
      await tables.update(Credential, { userId }, { recoverySentAt: new Date() });
      return true;
    });
    return isKnown ? recoveryMail(email, this.links.verification('recovery', token, redirectTo)) : undefined;
  }
}

/** Sends the mails of a sign-up or of a new address again. Responds before anything is looked up. */
export class ResendMail extends AccountCommand {}

@CommandHandler(ResendMail)
export class ResendMailHandler implements AccountHandler<ResendMail> {
  constructor(
    private readonly signUps: RequestSignUp,
    private readonly addresses: RequestAddressChange,
    private readonly mail: OutgoingMail,
    @Inject(IDENTITY_CONFIG) private readonly config: Pick<IdentityConfig, 'confirmsAddresses'>,
  ) {}

  /** @throws {Rejection} when the type or the address is missing, or a mail cannot be sent now */
  async execute({ call }: ResendMail) {
    const { type, email: given, phone } = call.fields();
    if (type === 'sms' || type === 'phone_change' || isText(phone)) refuse(problems.noPhone);
    if (type !== 'signup' && type !== 'email_change') return refuse(problems.missingResendType);
    const email = emailOf(given) ?? refuse(problems.missingResendAddress);
    const options = mailOptionsOf(call);
    // Without confirmation of addresses, the API never sends either mail.
    if (!this.config.confirmsAddresses) return { body: {} };
    await this.mail.admit(`${type === 'signup' ? 'sign-up' : 'resend'} ${email}`);
    const mails = type === 'signup' ? this.signUps : this.addresses;
    mails.again(email, options);
    return { body: {} };
  }
}
