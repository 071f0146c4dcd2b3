import { Injectable } from '@nestjs/common';
import type { AccountCall } from '../accounts/call.js';
import { emailOf } from '../accounts/fields.js';
import { mailTooSoon, missingRecoveryEmail, noMail, refuse, tooBusy } from '../accounts/problems.js';
import { credentialByEmail, noteRecovery } from '../credentials/credentials.js';
import { tokenHash } from '../sessions/sessions.js';
import { actForPractice, Transactions } from '../transactions.js';
import { challengeOf } from './code-challenge.js';
import type { CodeChallenge } from './code-challenge.js';
import { MailThrottle } from './mail-throttle.js';
import { keepToken, recoveryToken } from './mailed-tokens.js';
import { OutgoingMail } from './outgoing-mail.js';
import type { Mail } from './outgoing-mail.js';
import { SiteLinks } from './site-links.js';
import { recoveryMail } from './templates.js';

interface Recovery {
  readonly email: string;
  /** The requested target of the mail's link. */
  readonly redirectTo: string | null;
  readonly challenge: CodeChallenge | null;
}

/** Mails the owner of an address a link that signs in without a password. Responds before the address is looked up. */
@Injectable()
export class RequestRecovery {
  constructor(
    private readonly transactions: Transactions,
    private readonly mail: OutgoingMail,
    private readonly links: SiteLinks,
    private readonly throttle: MailThrottle,
  ) {}

  async execute({ fields, parameters }: AccountCall): Promise<void> {
    const given = fields();
    const email = emailOf(given['email']) ?? refuse(missingRecoveryEmail);
    const challenge = challengeOf(given);
    if (!this.mail.isPossible) refuse(noMail);
    if (this.mail.isFull) refuse({ ...tooBusy, headers: { 'Retry-After': '2' } });
    const seconds = await this.throttle.take(email);
    if (seconds > 0) refuse(mailTooSoon(seconds));
    const redirectTo = parameters.get('redirect_to');
    this.mail.sendLater(() => this.write({ email, redirectTo, challenge }));
  }

  private async write({ email, redirectTo, challenge }: Recovery): Promise<Mail | undefined> {
    const token = recoveryToken();
    const isKnown = await this.transactions.run({ presented: email }, async (client) => {
      const credential = await credentialByEmail(client, email);
      if (credential === undefined) return false;
      const { therapistId } = credential;
      await actForPractice(client, therapistId);
      await keepToken(client, therapistId, { hash: tokenHash(token), purpose: 'recovery', challenge });
      await noteRecovery(client, therapistId, new Date());
      return true;
    });
    return isKnown ? recoveryMail(email, { link: this.links.recovery(token, redirectTo), token }) : undefined;
  }
}
