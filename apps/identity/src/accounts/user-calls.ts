import { Injectable } from '@nestjs/common';
import { Reauthenticate } from '../mail/reauthenticate.js';
import { Transactions } from '../transactions.js';
import { ChangeUser } from '../users/change-user.js';
import { publicUser, userById } from '../users/users.js';
import type { Handlers } from './call.js';
import { refuse, userGone } from './problems.js';

/** The account of the signed-in user. */
@Injectable()
export class UserCalls {
  constructor(
    private readonly transactions: Transactions,
    private readonly change: ChangeUser,
    private readonly reauthenticate: Reauthenticate,
  ) {}

  readonly handlers: Handlers<'user' | 'changeUser' | 'reauthenticate'> = {
    user: async ({ identity: { therapistId } }) => {
      const user = await this.transactions.run({ therapistId }, (client) => userById(client, therapistId));
      return { body: publicUser(user ?? refuse(userGone)) };
    },
    changeUser: async (call) => ({ body: await this.change.execute(call) }),
    reauthenticate: async ({ identity }) => {
      await this.reauthenticate.execute(identity);
      return { body: {} };
    },
  };
}
