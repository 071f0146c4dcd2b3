import { CommandHandler } from '@nestjs/cqrs';
import { AccountCommand } from '../calls/call.js';
import type { AccountHandler } from '../calls/call.js';
import { credentialsOf } from '../calls/fields.js';
import { invalidCredentials, refuse } from '../calls/problems.js';
import { PasswordCheck } from '../sessions/password-check.js';
import { SessionIssue } from '../sessions/session-issue.js';
import { Sessions } from '../sessions/sessions.js';
import { Transactions } from '../store/transactions.js';
import { grant } from './grant.js';

/** Signs in with an e-mail address and a password. */
export class SignIn extends AccountCommand {}

@CommandHandler(SignIn)
export class SignInHandler implements AccountHandler<SignIn> {
  constructor(
    private readonly check: PasswordCheck,
    private readonly transactions: Transactions,
    private readonly sessions: Sessions,
    private readonly issue: SessionIssue,
  ) {}

  async execute({ call }: SignIn) {
    const { fields, address } = call;
    const userId = (await this.check.userOf(credentialsOf(fields()), address)) ?? refuse(invalidCredentials);
    const granted = await this.transactions.run({ userId }, (tables) =>
      grant(tables, this.sessions, { userId, address, method: 'password' }),
    );
    return this.issue.reply(granted, call);
  }
}
