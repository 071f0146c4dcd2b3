import { Injectable } from '@nestjs/common';
import type { AccountCall } from '../calls/call.js';
import { credentialsOf } from '../calls/fields.js';
import { invalidCredentials, refuse, userGone } from '../calls/problems.js';
import { accessOf } from '../users/access.js';
import { noteSignIn } from '../users/credentials.js';
import { PasswordCheck } from '../sessions/password-check.js';
import { Transactions } from '../store/transactions.js';
import { userById } from '../users/users.js';
import type { Granted } from '../sessions/session-issue.js';
import { Sessions } from '../sessions/sessions.js';
import type { SignInMethod } from '../sessions/proven.js';
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
    const found = await this.check.userOf(credentialsOf(fields()), address);
    const userId = found ?? refuse(invalidCredentials);
    return this.transactions.run({ userId }, (client) =>
      grant(client, this.sessions, { userId, address, method: 'password' }),
    );
  }
}

/** Opens a session for the user that the transaction acts for. */
export async function grant(
  client: ClientBase,
  sessions: Sessions,
  { userId, ...signIn }: { readonly userId: string; readonly method: SignInMethod; readonly address: string },
): Promise<Granted> {
  const at = new Date();
  await noteSignIn(client, userId, at);
  const user = (await userById(client, userId)) ?? refuse(userGone);
  const { therapistId, ...standing } = (await accessOf(client, userId, user.practiceId)) ?? {
    therapistId: userId,
    role: undefined,
  };
  return {
    user,
    ...standing,
    session: await sessions.open(client, { userId, therapistId }, { at, ...signIn }),
  };
}
