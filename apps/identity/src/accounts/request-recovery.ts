import { Injectable } from '@nestjs/common';
import type { AccountCall } from '../calls/call.js';
import { emailOf } from '../calls/fields.js';
import { missingRecoveryEmail, refuse } from '../calls/problems.js';
import { credentialByEmail, noteRecovery } from '../users/credentials.js';
import { tokenHash } from '../sessions/sessions.js';
import { actForUser, Transactions } from '../store/transactions.js';
import { challengeOf } from '../users/code-challenge.js';
import type { CodeChallenge } from '../users/code-challenge.js';
import { MailGate } from '../notices/mail-gate.js';
import { keepToken, randomToken } from '../users/mailed-tokens.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import type { Mail } from '../notices/outgoing-mail.js';
import { SiteLinks } from '../notices/site-links.js';
import { recoveryMail } from '../notices/templates.js';

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
    private readonly gate: MailGate,
  ) {}

  async execute({ fields, parameters }: AccountCall): Promise<void> {
    const given = fields();
    const email = emailOf(given['email']) ?? refuse(missingRecoveryEmail);
    const challenge = challengeOf(given);
    await this.gate.pass(email);
    const redirectTo = parameters.get('redirect_to');
    this.mail.sendLater(() => this.write({ email, redirectTo, challenge }));
  }

  private async write({ email, redirectTo, challenge }: Recovery): Promise<Mail | undefined> {
    const token = randomToken();
    const isKnown = await this.transactions.run({ presented: email }, async (client) => {
      const credential = await credentialByEmail(client, email);
      if (credential === undefined) return false;
      const { userId } = credential;
      await actForUser(client, userId);
      await keepToken(client, userId, { hash: tokenHash(token), purpose: 'recovery', challenge });
      await noteRecovery(client, userId, new Date());
      return true;
    });
    return isKnown
      ? recoveryMail(email, { link: this.links.verification('recovery', token, redirectTo), token })
      : undefined;
  }
}
