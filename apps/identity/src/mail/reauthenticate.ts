import { Injectable } from '@nestjs/common';
import type { Identity } from '@practice/core';
import { mailTooSoon, noMail, refuse, userGone } from '../accounts/problems.js';
import { Transactions } from '../transactions.js';
import { userById } from '../users/users.js';
import { MailThrottle } from './mail-throttle.js';
import { keepToken, nonce, nonceHash } from './mailed-tokens.js';
import { OutgoingMail } from './outgoing-mail.js';
import { nonceMail } from './templates.js';

/** Mails the signed-in user a nonce. Sent back with a change of the account, it proves access to the mailbox. */
@Injectable()
export class Reauthenticate {
  constructor(
    private readonly transactions: Transactions,
    private readonly mail: OutgoingMail,
    private readonly throttle: MailThrottle,
  ) {}

  async execute({ therapistId }: Identity): Promise<void> {
    if (!this.mail.isPossible) refuse(noMail);
    const user = await this.transactions.run({ therapistId }, (client) => userById(client, therapistId));
    const { email } = user ?? refuse(userGone);
    const seconds = await this.throttle.take(email);
    if (seconds > 0) refuse(mailTooSoon(seconds));
    const code = nonce();
    const kept = { hash: nonceHash(therapistId, code), purpose: 'reauthentication' } as const;
    await this.transactions.run({ therapistId }, (client) => keepToken(client, therapistId, kept));
    this.mail.sendLater(async () => nonceMail(email, code));
  }
}
