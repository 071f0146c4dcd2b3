import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { Identity } from '@practice/core';
import { Database } from '../database.js';
import { MailThrottle } from './mail/mail-throttle.js';
import { mailTooSoon, noMail, refuse, userGone } from './errors.js';
import { nonceMail } from './mail/letters.js';
import { keepToken, nonce, nonceHash } from './mail/mailed-tokens.js';
import { OutgoingMail } from './mail/outgoing-mail.js';
import { userById } from './users.js';

/** Sends a user that is signed in a nonce, which shows with a change of the account that it still reads its mail. */
export class Reauthenticate extends Command<void> {
  constructor(readonly identity: Identity) {
    super();
  }
}

@CommandHandler(Reauthenticate)
export class ReauthenticateHandler implements ICommandHandler<Reauthenticate> {
  constructor(
    private readonly database: Database,
    private readonly mail: OutgoingMail,
    private readonly limit: MailThrottle,
  ) {}

  async execute({ identity: { therapistId } }: Reauthenticate): Promise<void> {
    if (!this.mail.isPossible) refuse(noMail);
    const user = await this.database.transaction({ therapistId }, (client) => userById(client, therapistId));
    const { email } = user ?? refuse(userGone);
    const seconds = await this.limit.take(email);
    if (seconds > 0) refuse(mailTooSoon(seconds));
    const code = nonce();
    const kept = { hash: nonceHash(therapistId, code), purpose: 'reauthentication' } as const;
    await this.database.transaction({ therapistId }, (client) => keepToken(client, therapistId, kept));
    this.mail.sendLater(async () => nonceMail(email, code));
  }
}
