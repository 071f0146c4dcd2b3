import { Injectable } from '@nestjs/common';
import { RecordTransactions } from '@practice/write';
import { linkExpired, refuse, userGone } from '../calls/problems.js';
import { noteConfirmed } from '../users/credentials.js';
import { conclude } from './conclude.js';
import type { Concluded, PresentedToken } from './conclude.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { addressChangedMail } from '../notices/templates.js';
import { note } from '../store/security-events.js';
import { Sessions, tokenHash } from '../sessions/sessions.js';
import { grant } from './sign-in.js';
import { actForCaller, Transactions } from '../store/transactions.js';
import { changeAddress } from './change-address.js';
import { refuseStored } from '../users/stored-problems.js';
import { userById } from '../users/users.js';
import { changeByHash, noteAnswer } from '../users/address-changes.js';

/** The answer to one of the two mails; the other one is still open. */
export const HALF_DONE = 'half done';

interface Changed {
  readonly before: string;
  readonly concluded: Concluded;
}

/** Takes the answer to one of the mails about a new address. With the second answer, the address counts. */
@Injectable()
export class ConfirmAddressChange {
  constructor(
    private readonly transactions: Transactions,
    private readonly records: RecordTransactions,
    private readonly sessions: Sessions,
    private readonly mail: OutgoingMail,
  ) {}

  /** @throws {Rejection} when the token is unknown, used or has expired, or the new address has an account by now */
  async execute(presented: PresentedToken): Promise<Concluded | typeof HALF_DONE> {
    const hash = tokenHash(presented.token);
    const found = await this.transactions.run({ presented: hash }, (client) => changeByHash(client, hash));
    const { userId } = found ?? refuse(linkExpired);
    const changed = await this.answer(userId, hash, presented).catch(refuseStored(linkExpired));
    if (changed === HALF_DONE) return HALF_DONE;
    this.mail.sendLater(async () => addressChangedMail(changed.before));
    return changed.concluded;
  }

  private answer(
    userId: string,
    hash: string,
    { isLink, address, trace }: PresentedToken,
  ): Promise<Changed | typeof HALF_DONE> {
    return this.records.run({ therapistId: userId, ...trace }, async (transaction) => {
      const { client } = transaction;
      await actForCaller(client, userId, hash);
      const { email, challenge, side, isOtherAnswered } =
        (await changeByHash(client, hash)) ?? refuse(linkExpired);
      if (!isOtherAnswered) {
        await noteAnswer(client, userId, side);
        return HALF_DONE;
      }
      const before = (await userById(client, userId)) ?? refuse(userGone);
      await changeAddress(transaction, userId, { email });
      await noteConfirmed(client, userId);
      await note(transaction, { therapistId: userId, userId, kind: 'address_confirmed', address });
      const open = () => grant(client, this.sessions, { userId, address, method: 'otp' });
      const concluded = await conclude(client, { userId, challenge, isLink }, open);
      return { before: before.email, concluded };
    });
  }
}
