import { CommandHandler } from '@nestjs/cqrs';
import { AccountCommand } from '../calls/call.js';
import type { AccountHandler } from '../calls/call.js';
import { emailOf } from '../calls/fields.js';
import { missingRecoveryEmail, refuse } from '../calls/problems.js';
import { MailGate } from '../notices/mail-gate.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import type { Mail } from '../notices/outgoing-mail.js';
import { SiteLinks } from '../notices/site-links.js';
import { recoveryMail } from '../notices/templates.js';
import { Credential } from '../store/account.entities.js';
import { randomToken, tokenHash } from '../store/secrets.js';
import { actForUser, Transactions } from '../store/transactions.js';
import { challengeOf } from '../users/code-challenge.js';
import type { CodeChallenge } from '../users/code-challenge.js';
import { keepToken } from '../users/mailed-tokens.js';

interface Recovery {
  readonly email: string;
  /** The requested target of the mail's link. */
  readonly redirectTo: string | null;
  readonly challenge: CodeChallenge | null;
}

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
    private readonly gate: MailGate,
  ) {}

  async execute({ call: { fields, parameters } }: RequestRecovery) {
    const given = fields();
    const email = emailOf(given['email']) ?? refuse(missingRecoveryEmail);
    const challenge = challengeOf(given);
    await this.gate.pass(email);
    const redirectTo = parameters.get('redirect_to');
    this.mail.sendLater(() => this.write({ email, redirectTo, challenge }));
    return { body: {} };
  }

  private async write({ email, redirectTo, challenge }: Recovery): Promise<Mail | undefined> {
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
    return isKnown
      ? recoveryMail(email, { link: this.links.verification('recovery', token, redirectTo), token })
      : undefined;
  }
}
