import { CommandHandler, QueryHandler } from '@nestjs/cqrs';
import { AccountCommand, type AccountHandler, AccountQuery } from '../calls/call.js';
import { isUuid } from '../calls/fields.js';
import { problems, refuse } from '../calls/problems.js';
import { requireHighestLevel } from '../factors/factors.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { passkeyRemovedMail } from '../notices/templates.js';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { Passkey } from '../store/passkey.entities.js';
import { Transactions } from '../store/transactions.js';
import { addressOf } from '../users/users.js';
import { friendlyNameOf } from './answer.js';

/** A passkey as its user sees it. */
export const shownPasskey = ({ id, friendlyName, createdAt, lastUsedAt }: Passkey): object => ({
  id,
  ...(friendlyName !== null && { friendly_name: friendlyName }),
  created_at: createdAt,
  ...(lastUsedAt && { last_used_at: lastUsedAt }),
});

export class ListPasskeys extends AccountQuery {}

@QueryHandler(ListPasskeys)
export class ListPasskeysHandler implements AccountHandler<ListPasskeys> {
  constructor(private readonly transactions: Transactions) {}

  async execute({ call }: ListPasskeys) {
    const { userId } = call.identity;
    const order = { createdAt: 'ASC', id: 'ASC' } as const;
    const passkeys = await this.transactions.run({ userId }, (tables) =>
      tables.find(Passkey, { where: { userId }, order }),
    );
    return { body: passkeys.map(shownPasskey) };
  }
}

export class RenamePasskey extends AccountCommand {}

@CommandHandler(RenamePasskey)
export class RenamePasskeyHandler implements AccountHandler<RenamePasskey> {
  constructor(private readonly transactions: Transactions) {}

  async execute({ call: { id, identity, fields } }: RenamePasskey) {
    const { userId } = identity;
    if (!isUuid(id)) refuse(problems.passkeyNotFound);
    const friendlyName = friendlyNameOf(fields());
    const renamed = await this.transactions.run({ userId }, async (tables) => {
      await tables.update(Passkey, { userId, id }, { friendlyName });
      return tables.findOneBy(Passkey, { userId, id });
    });
    return { body: shownPasskey(renamed ?? refuse(problems.passkeyNotFound)) };
  }
}

/** Removes a passkey. The last passkey can be removed too, because the password still signs in. */
export class RemovePasskey extends AccountCommand {}

@CommandHandler(RemovePasskey)
export class RemovePasskeyHandler implements AccountHandler<RemovePasskey> {
  constructor(
    private readonly transactions: Transactions,
    private readonly recent: RecentSignIn,
    private readonly mail: OutgoingMail,
  ) {}

  async execute({ call }: RemovePasskey) {
    const { id, identity } = call;
    const { userId } = identity;
    if (!isUuid(id)) refuse(problems.passkeyNotFound);
    await this.recent.require(call);
    const email = await this.transactions.run({ userId }, async (tables) => {
      await requireHighestLevel(tables, identity);
      const { affected } = await tables.delete(Passkey, { userId, id });
      if (affected !== 1) refuse(problems.passkeyNotFound);
      return (await addressOf(tables, userId)) ?? refuse(problems.userGone);
    });
    this.mail.sendLater(passkeyRemovedMail(email));
    return { status: 204 };
  }
}
