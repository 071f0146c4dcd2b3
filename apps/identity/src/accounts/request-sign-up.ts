import { Injectable } from '@nestjs/common';
import type { AccountCall } from '../calls/call.js';
import { Credential, PendingSignUp } from '../store/account.entities.js';
import { inFuture } from '../store/database.js';
import { challengeOf } from '../users/code-challenge.js';
import type { CodeChallenge } from '../users/code-challenge.js';
import { MailGate } from '../notices/mail-gate.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import type { Mail } from '../notices/outgoing-mail.js';
import { SiteLinks } from '../notices/site-links.js';
import { confirmationMail, signUpAgainMail } from '../notices/templates.js';
import { randomToken, tokenHash } from '../store/secrets.js';
import { Transactions } from '../store/transactions.js';
import { unconfirmedUser } from '../users/public-user.js';

/** When a sign-up that is not confirmed ends. */
const expiresAt = (): string => `now() + interval '24 hours'`;

/** Options of the mail. */
interface MailOptions {
  /** The requested target of the mail's link. */
  readonly redirectTo: string | null;
  readonly challenge: CodeChallenge | null;
}

interface RequestedUser extends MailOptions {
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
  ): Promise<MailOptions> {
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
      const isPending = await this.transactions.run({ presented: email }, async (tables) => {
        const where = { email, expiresAt: inFuture };
        const order = { createdAt: 'DESC', userId: 'DESC' } as const;
        const latest = await tables.findOne(PendingSignUp, { where, order });
        if (latest === null) return false;
        const renewed = { tokenHash: tokenHash(token), expiresAt };
        return (await tables.update(PendingSignUp, { userId: latest.userId }, renewed)).affected === 1;
      });
      return isPending ? this.confirmation(email, token, redirectTo) : undefined;
    });
  }

  private async write({ redirectTo, ...signUp }: RequestedUser): Promise<Mail> {
    const { id: userId, email, passwordHash, metadata, challenge } = signUp;
    const token = randomToken();
    const isKnown = await this.transactions.run({ presented: email }, async (tables) => {
      if (await tables.existsBy(Credential, { email })) return true;
      const kept = { userId, email, passwordHash, metadata, codeChallenge: challenge };
      const createdAt = (): string => 'now()';
      await tables.insert(PendingSignUp, { ...kept, tokenHash: tokenHash(token), createdAt, expiresAt });
      return false;
    });
    return isKnown ? signUpAgainMail(email) : this.confirmation(email, token, redirectTo);
  }

  private confirmation(email: string, token: string, redirectTo: string | null): Mail {
    return confirmationMail(email, { link: this.links.verification('signup', token, redirectTo), token });
  }
}
