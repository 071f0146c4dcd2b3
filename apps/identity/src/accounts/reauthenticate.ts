import { Injectable } from '@nestjs/common';
import type { Identity } from '@practice/core';
import { refuse, userGone } from '../calls/problems.js';
import { Transactions } from '../store/transactions.js';
import { userById } from '../users/users.js';
import { MailGate } from '../notices/mail-gate.js';
import { keepToken, nonce, nonceHash } from '../users/mailed-tokens.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { nonceMail } from '../notices/templates.js';

/** Mails the signed-in user a nonce. Sent back with a change of the account, it proves access to the mailbox. */
@Injectable()
export class Reauthenticate {
  constructor(
    private readonly transactions: Transactions,
    private readonly mail: OutgoingMail,
    private readonly gate: MailGate,
  ) {}

  async execute({ userId }: Identity): Promise<void> {
    const user = await this.transactions.run({ userId }, (client) => userById(client, userId));
    const { email } = user ?? refuse(userGone);
    await this.gate.pass(email);
    const code = nonce();
    const kept = { hash: nonceHash(userId, code), purpose: 'reauthentication' } as const;
    await this.transactions.run({ userId }, (client) => keepToken(client, userId, kept));
    this.mail.sendLater(async () => nonceMail(email, code));
  }
}
