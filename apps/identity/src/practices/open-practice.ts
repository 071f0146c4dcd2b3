import { openPractice, practices } from '@practice/contracts';
import { newId, reject } from '@practice/core';
import type { Problem } from '@practice/core';
import { Handles } from '@practice/write';
import type { FunctionCall, FunctionHandler, RecordTransaction, WritingCall } from '@practice/write';
import { refuse, userGone } from '../calls/problems.js';
import { ConfirmedAddress } from '../users/confirmed-address.js';
import { addressOf } from '../users/users.js';
import { actForCaller } from '../store/transactions.js';
import { practicesOf } from '../users/access.js';
import { found, hasAccessRow } from './founders.js';
import { tablesOn } from '../store/database.js';

/** Opens a practice for a person who owns none. */
@Handles(openPractice)
export class OpenPractice implements FunctionHandler<typeof openPractice> {
  constructor(private readonly confirmed: ConfirmedAddress) {}

  /** The person's own id: two calls at the same time open one practice. */
  otherPractices(_: object, { caller: { userId } }: FunctionCall): readonly string[] {
    return [userId];
  }

  /** @throws {Rejection} 23505 for an owner, `email_not_confirmed` */
  async call(_: object, { caller: { userId }, transaction }: WritingCall) {
    const tables = tablesOn(transaction.client);
    await actForCaller(tables, userId);
    await this.confirmed.require(tables, userId);
    const email = (await addressOf(tables, userId)) ?? refuse(userGone);
    const open = async (there: RecordTransaction, therapistId: string): Promise<string> => {
      const isThere = await there.change(practices, therapistId, {});
      await found(there, { therapistId, user: { id: userId, email, metadata: {} }, isThere });
      return therapistId;
    };
    const opened = await transaction.within(userId, async (home) => {
      if ((await practicesOf(tables, userId)).some(({ role }) => role === 'owner')) reject(isOwner);
      if (!(await hasAccessRow(tables, userId))) return open(home, userId);
      const another = newId();
      return home.withinNew(another, (there) => open(there, another));
    });
    return { therapist_id: opened };
  }
}

const isOwner: Problem = {
  status: 409,
  code: '23505',
  message: 'you own a practice already',
  hint: 'List your practices with rpc/my_practices.',
};
