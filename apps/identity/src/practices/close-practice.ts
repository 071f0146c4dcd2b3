import { closePractice } from '@practice/contracts';
import { reject } from '@practice/core';
import type { Problem } from '@practice/core';
import { closePractice as closeLog, run } from '@practice/log';
import { instant } from '@practice/resource';
import type { ArgumentsOf, Decider } from '@practice/resource';
import { Handles } from '@practice/write';
import type { FunctionHandler, WritingCall } from '@practice/write';
import { addressOf } from '../users/credentials.js';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { practiceClosedMail } from '../notices/practice-templates.js';
import { ownersOf } from '../users/owners.js';
import { noteCall } from '../store/security-events.js';
import { actForCaller } from '../store/transactions.js';
import { closing } from './closing.js';
import { nameOf } from './practice-name.js';

const READ_ONLY_DAYS = 30;
const DAY_MS = 86_400_000;

/** Closes the practice of the caller. The other services learn of it by the event, and keep it with the heads of their logs. */
@Handles(closePractice)
export class ClosePractice implements FunctionHandler<typeof closePractice> {
  constructor(
    private readonly recent: RecentSignIn,
    private readonly mail: OutgoingMail,
  ) {}

  /** @throws {Rejection} 22023 when the name is another one; or the sign-in is not recent */
  async call({ name, reason, ...proof }: ArgumentsOf<typeof closePractice>, call: WritingCall) {
    const { caller, transaction, afterCommit } = call;
    const { client, now } = transaction;
    const { therapistId, userId, address = '' } = caller;
    if (name !== (await nameOf(client, therapistId))) reject(otherName);
    await this.recent.require({ identity: caller, address }, proof);
    const times = { closed_at: now, erase_at: instant(Date.parse(now) + READ_ONLY_DAYS * DAY_MS) };
    await transaction.changeBy(closing as unknown as Decider, therapistId, times);
    await run(client, closeLog('identity', { therapistId, eraseAt: times.erase_at }));
    await noteCall(transaction, 'practice_closed', { caller, ...(reason !== null && { reason }) });
    const owners = await ownersOf(client, therapistId);
    await actForCaller(client, userId);
    const by = (await addressOf(client, userId)) ?? '';
    afterCommit(() => {
      for (const owner of owners)
        this.mail.sendLater(async () => practiceClosedMail(owner, { name, by, eraseAt: times.erase_at }));
    });
    return times;
  }
}

const otherName: Problem = {
  status: 400,
  code: '22023',
  message: 'invalid value for argument "name"',
  details: 'It must be the name of the practice.',
  hint: 'Type the name as practices?select=name shows it, with the same capital letters and spaces.',
};
