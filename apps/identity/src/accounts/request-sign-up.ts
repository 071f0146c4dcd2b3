import { Injectable } from '@nestjs/common';
import type { AccountCall } from '../calls/call.js';
import { credentialByEmail } from '../users/credentials.js';
import { challengeOf } from '../users/code-challenge.js';
import type { CodeChallenge } from '../users/code-challenge.js';
import { MailGate } from '../notices/mail-gate.js';
import { randomToken } from '../users/mailed-tokens.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import type { Mail } from '../notices/outgoing-mail.js';
import { SiteLinks } from '../notices/site-links.js';
import { confirmationMail, signUpAgainMail } from '../notices/templates.js';
import { tokenHash } from '../sessions/sessions.js';
import { Transactions } from '../store/transactions.js';
import { unconfirmedUser } from '../users/public-user.js';
import { keepSignUp, renewToken } from './pending-sign-ups.js';

/** The parts of a sign-up beside the user. */
interface Asked {
  /** The requested target of the mail's link. */
  readonly redirectTo: string | null;
  readonly challenge: CodeChallenge | null;
}

interface RequestedUser extends Asked {
  readonly id: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly metadata: object;
}

/**
 * Mails the owner of an address a link that makes the account. If the address has an account, its owner gets a notice instead.
 * Responds before the address is looked up, so neither the response nor its time reveals which of them it is.
 */
@Injectable()
export class RequestSignUp {
  constructor(
    private readonly transactions: Transactions,
    private readonly mail: OutgoingMail,
    private readonly links: SiteLinks,
    private readonly gate: MailGate,
  ) {}

  /** @throws {Rejection} when a mail cannot be sent now, or to this address again so soon */
  async admit(
    { fields, parameters }: Pick<AccountCall, 'fields' | 'parameters'>,
    email: string,
  ): Promise<Asked> {
    const challenge = challengeOf(fields());
    await this.gate.pass(`sign-up ${email}`);
    return { redirectTo: parameters.get('redirect_to'), challenge };
  }

  /** Returns the user as it will be, without a session. */
  execute(user: RequestedUser): object {
    this.mail.sendLater(() => this.write(user));
    return unconfirmedUser(user, new Date());
  }

  /** Mails the latest sign-up of an address again, if there is one. */
  again(email: string, redirectTo: string | null): void {
    this.mail.sendLater(async () => {
      const token = randomToken();
      const isPending = await this.transactions.run({ presented: email }, (client) =>
        renewToken(client, email, tokenHash(token)),
      );
      return isPending ? this.confirmation(email, token, redirectTo) : undefined;
    });
  }

  private async write({ id, redirectTo, ...signUp }: RequestedUser): Promise<Mail> {
    const { email } = signUp;
    const token = randomToken();
    const isKnown = await this.transactions.run({ presented: email }, async (client) => {
      if ((await credentialByEmail(client, email)) !== undefined) return true;
      await keepSignUp(client, { ...signUp, userId: id }, tokenHash(token));
      return false;
    });
    return isKnown ? signUpAgainMail(email) : this.confirmation(email, token, redirectTo);
  }

  private confirmation(email: string, token: string, redirectTo: string | null): Mail {
    return confirmationMail(email, { link: this.links.verification('signup', token, redirectTo), token });
  }
}
