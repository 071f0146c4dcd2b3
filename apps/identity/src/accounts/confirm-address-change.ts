import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { RecordTransactions } from '@practice/write';
import { linkExpired, refuse, userGone } from '../calls/problems.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { addressChangedMail } from '../notices/templates.js';
import { Sessions } from '../sessions/sessions.js';
import { AddressChange } from '../store/account.entities.js';
import { tablesOn } from '../store/database.js';
import { tokenHash } from '../store/secrets.js';
import { note } from '../store/security-events.js';
import { actForCaller, Transactions } from '../store/transactions.js';
import { changeByHash } from '../users/address-changes.js';
import { refuseStored } from '../users/stored-problems.js';
import { noteConfirmed, userById } from '../users/users.js';
import { changeAddress } from './change-address.js';
import { conclude, HALF_DONE, UseMailedToken } from './conclude.js';
import type { Concluded, PresentedToken } from './conclude.js';
import { grant } from './grant.js';

interface Changed {
  readonly before: string;
  readonly concluded: Concluded;
}

/** Takes the response to one of the mails about a new address. With the second response, the address counts. */
export class ConfirmAddressChange extends UseMailedToken {}

@CommandHandler(ConfirmAddressChange)
export class ConfirmAddressChangeHandler implements ICommandHandler<ConfirmAddressChange> {
  constructor(
    private readonly transactions: Transactions,
    private readonly records: RecordTransactions,
    private readonly sessions: Sessions,
    private readonly mail: OutgoingMail,
  ) {}

  /** @throws {Rejection} when the token is unknown, used or has expired, or the new address has an account by now */
  async execute({ presented }: ConfirmAddressChange): Promise<Concluded | typeof HALF_DONE> {
    const hash = tokenHash(presented.token);
    const found = await this.transactions.run({ presented: hash }, (tables) => changeByHash(tables, hash));
    const { userId } = found ?? refuse(linkExpired);
    const changed = await this.confirm(userId, hash, presented).catch(refuseStored(linkExpired));
    if (changed === HALF_DONE) return HALF_DONE;
    this.mail.sendLater(async () => addressChangedMail(changed.before));
    return changed.concluded;
  }

  private confirm(
    userId: string,
    hash: string,
    { isLink, address, trace }: PresentedToken,
  ): Promise<Changed | typeof HALF_DONE> {
    return this.records.run({ therapistId: userId, ...trace }, async (transaction) => {
      const tables = tablesOn(transaction.client);
      await actForCaller(tables, userId, hash);
      const { email, challenge, side, isOtherAnswered } =
        (await changeByHash(tables, hash)) ?? refuse(linkExpired);
      if (!isOtherAnswered) {
        await tables.update(AddressChange, { userId }, { [`${side}ConfirmedAt`]: () => 'now()' });
        return HALF_DONE;
      }
      const before = (await userById(tables, userId)) ?? refuse(userGone);
      await changeAddress(transaction, userId, { email });
      await noteConfirmed(tables, userId);
      await note(transaction, { therapistId: userId, userId, kind: 'address_confirmed', address });
      const open = () => grant(tables, this.sessions, { userId, address, method: 'otp' });
      const concluded = await conclude(tables, { userId, challenge, isLink }, open);
      return { before: before.email, concluded };
    });
  }
}
