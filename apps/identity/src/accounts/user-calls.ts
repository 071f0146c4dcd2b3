// The account of the signed-in user: read it, and prove access to its mailbox.

import { CommandHandler, QueryHandler } from '@nestjs/cqrs';
import { AccountCommand, AccountQuery } from '../calls/call.js';
import type { AccountHandler } from '../calls/call.js';
import { refuse, userGone } from '../calls/problems.js';
import { MailGate } from '../notices/mail-gate.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { nonceMail } from '../notices/templates.js';
import { Transactions } from '../store/transactions.js';
import { keepToken, nonce, nonceHash } from '../users/mailed-tokens.js';
import { PublicUsers } from '../users/public-user.js';
import { addressOf, userById } from '../users/users.js';

export class ReadUser extends AccountQuery {}

@QueryHandler(ReadUser)
export class ReadUserHandler implements AccountHandler<ReadUser> {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: PublicUsers,
  ) {}

  async execute({ call }: ReadUser) {
    const { userId } = call.identity;
    const user = await this.transactions.run({ userId }, (tables) => userById(tables, userId));
    return { body: this.users.of(user ?? refuse(userGone)) };
  }
}

/** Mails the signed-in user a nonce. Sent back with a change of the account, it proves access to the mailbox. */
export class Reauthenticate extends AccountCommand {}

@CommandHandler(Reauthenticate)
export class ReauthenticateHandler implements AccountHandler<Reauthenticate> {
  constructor(
    private readonly transactions: Transactions,
    private readonly mail: OutgoingMail,
    private readonly gate: MailGate,
  ) {}

  async execute({ call }: Reauthenticate) {
    const { userId } = call.identity;
    const found = await this.transactions.run({ userId }, (tables) => addressOf(tables, userId));
    const email = found ?? refuse(userGone);
    await this.gate.pass(email);
    const code = nonce();
    const kept = { hash: nonceHash(userId, code), purpose: 'reauthentication' } as const;
    await this.transactions.run({ userId }, (tables) => keepToken(tables, userId, kept));
    this.mail.sendLater(async () => nonceMail(email, code));
    return { body: {} };
  }
}
