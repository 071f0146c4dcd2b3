import { Injectable } from '@nestjs/common';
import type { AccountCall } from '../accounts/call.js';
import { credentialsOf } from '../accounts/fields.js';
import { invalidCredentials, refuse, userGone } from '../accounts/problems.js';
import { noteSignIn } from '../credentials/credentials.js';
import { PasswordCheck } from '../credentials/password-check.js';
import { Transactions } from '../transactions.js';
import { userById } from '../users/users.js';
import type { Granted } from './session-issue.js';
import { Sessions } from './sessions.js';
import type { SignInMethod } from './sessions.js';
import type { ClientBase } from 'pg';

/** Signs in with an e-mail address and a password. */
@Injectable()
export class SignIn {
  constructor(
    private readonly check: PasswordCheck,
    private readonly transactions: Transactions,
    private readonly sessions: Sessions,
  ) {}

  async execute({ fields, address }: Pick<AccountCall, 'fields' | 'address'>): Promise<Granted> {
    const found = await this.check.practiceOf(credentialsOf(fields()), address);
    const therapistId = found ?? refuse(invalidCredentials);
    return this.transactions.run({ therapistId }, (client) =>
      grant(client, this.sessions, { therapistId, method: 'password' }),
    );
  }
}

/** Opens a session for the user of the practice that the transaction acts for. */
export async function grant(
  client: ClientBase,
  sessions: Sessions,
  { therapistId, method }: { readonly therapistId: string; readonly method: SignInMethod },
): Promise<Granted> {
  const at = new Date();
  await noteSignIn(client, therapistId, at);
  const user = (await userById(client, therapistId)) ?? refuse(userGone);
  return { user, session: await sessions.open(client, therapistId, { at, method }) };
}
