import { Injectable } from '@nestjs/common';
import { Reauthenticate } from './reauthenticate.js';
import { Transactions } from '../store/transactions.js';
import { ChangeUser } from './change-user.js';
import { PublicUsers } from '../users/public-user.js';
import { userById } from '../users/users.js';
import type { Handlers } from '../calls/call.js';
import { refuse, userGone } from '../calls/problems.js';

/** The account of the signed-in user. */
@Injectable()
export class UserCalls {
  constructor(
    private readonly transactions: Transactions,
    private readonly change: ChangeUser,
    private readonly reauthenticate: Reauthenticate,
    private readonly users: PublicUsers,
  ) {}

  readonly handlers: Handlers<'user' | 'changeUser' | 'reauthenticate'> = {
    user: async ({ identity: { userId } }) => {
      const user = await this.transactions.run({ userId }, (client) => userById(client, userId));
      return { body: this.users.of(user ?? refuse(userGone)) };
    },
    changeUser: async (call) => ({ body: await this.change.execute(call) }),
    reauthenticate: async ({ identity }) => {
      await this.reauthenticate.execute(identity);
      return { body: {} };
    },
  };
}
