import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { actForPractice, Database } from '../database.js';
import { MailThrottle } from './mail/mail-throttle.js';
import { mailTooSoon, noMail, refuse, tooBusy } from './errors.js';
import type { CodeChallenge } from './mail/code-challenge.js';
import { recoveryMail } from './mail/letters.js';
import { keepToken, recoveryToken } from './mail/mailed-tokens.js';
import { OutgoingMail } from './mail/outgoing-mail.js';
import type { Mail } from './mail/outgoing-mail.js';
import { SiteLinks } from './mail/site-links.js';
import { tokenHash } from './sessions.js';
import { noteRecovery, userByEmail } from './users.js';

/** Sends the owner of an address what lets it in without its password. Responses before anyone has looked whose it is. */
export class RequestRecovery extends Command<void> {
  constructor(
    readonly email: string,
    /** Where the mail's link is to lead. */
    readonly redirectTo: string | null,
    readonly challenge: CodeChallenge | null,
  ) {
    super();
  }
}

@CommandHandler(RequestRecovery)
export class RequestRecoveryHandler implements ICommandHandler<RequestRecovery> {
  constructor(
    private readonly database: Database,
    private readonly mail: OutgoingMail,
    private readonly links: SiteLinks,
    private readonly limit: MailThrottle,
  ) {}

  async execute(wanted: RequestRecovery): Promise<void> {
    if (!this.mail.isPossible) refuse(noMail);
    if (this.mail.isFull) refuse({ ...tooBusy, headers: { 'Retry-After': '2' } });
    const seconds = await this.limit.take(wanted.email);
    if (seconds > 0) refuse(mailTooSoon(seconds));
    this.mail.sendLater(() => this.write(wanted));
  }

  private async write({ email, redirectTo, challenge }: RequestRecovery): Promise<Mail | undefined> {
    const token = recoveryToken();
    const isKept = await this.database.transaction({ presented: email }, async (client) => {
      const user = await userByEmail(client, email);
      if (user === undefined) return false;
      await actForPractice(client, user.id);
      await keepToken(client, user.id, { hash: tokenHash(token), purpose: 'recovery', challenge });
      await noteRecovery(client, user.id, new Date());
      return true;
    });
    return isKept ? recoveryMail(email, { link: this.links.recovery(token, redirectTo), token }) : undefined;
  }
}
