import { closePractice, reopenPractice } from '@practice/contracts';
import { reject } from '@practice/core';
import type { Problem } from '@practice/core';
import { closePractice as closeLog, run } from '@practice/log';
import { instant } from '@practice/resource';
import type { ArgumentsOf, Decider } from '@practice/resource';
import { Handles } from '@practice/write';
import type { FunctionHandler, WritingCall } from '@practice/write';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import type { Mail } from '../notices/outgoing-mail.js';
import { practiceClosedMail, practiceReopenedMail } from '../notices/practice-templates.js';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { tablesOn } from '../store/database.js';
import { noteCall } from '../store/security-events.js';
import { actForCaller } from '../store/transactions.js';
import { ownersOf } from '../users/owners.js';
import { addressOf } from '../users/users.js';
import { closing, reopening } from './closing.js';
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
    const { caller, transaction } = call;
    const { now, client } = transaction;
    const { therapistId, address = '' } = caller;
    if (name !== (await nameOf(tablesOn(client), therapistId))) reject(otherName);
    await this.recent.require({ identity: caller, address }, proof);
    const times = { closed_at: now, erase_at: instant(Date.parse(now) + READ_ONLY_DAYS * DAY_MS) };
    await transaction.changeBy(closing as unknown as Decider, therapistId, times);
    await run(client, closeLog('identity', { therapistId, eraseAt: times.erase_at }));
    await noteCall(transaction, 'practice_closed', { caller, ...(reason !== null && { reason }) });
    await tellOwners(this.mail, call, (owner, by) =>
      practiceClosedMail(owner, { name, by, eraseAt: times.erase_at }),
    );
    return times;
  }
}

/** Opens the closed practice of the caller again. */
@Handles(reopenPractice)
export class ReopenPractice implements FunctionHandler<typeof reopenPractice> {
  constructor(private readonly mail: OutgoingMail) {}

  /** @throws {Rejection} PM017 when the practice is erased */
  async call(_: ArgumentsOf<typeof reopenPractice>, call: WritingCall) {
    const { caller, transaction } = call;
    const { eraseAt, client } = transaction;
    const { therapistId } = caller;
    if (eraseAt === null) return { therapist_id: therapistId, reopened: false };
    const name = (await nameOf(tablesOn(client), therapistId)) ?? '';
    const times = { closed_at: null, erase_at: null };
    await transaction.changeBy(reopening as unknown as Decider, therapistId, times);
    await run(client, closeLog('identity', { therapistId, eraseAt: null }));
    await noteCall(transaction, 'practice_reopened', { caller });
    await tellOwners(this.mail, call, (owner, by) => practiceReopenedMail(owner, { name, by }));
    return { therapist_id: therapistId, reopened: true };
  }
}

/** Mails each owner after the commit who has done it. Afterwards, the transaction acts for the caller. */
async function tellOwners(
  mail: OutgoingMail,
  { caller, transaction, afterCommit }: WritingCall,
  write: (owner: string, by: string) => Mail,
): Promise<void> {
  const tables = tablesOn(transaction.client);
  const owners = await ownersOf(tables, caller.therapistId);
  await actForCaller(tables, caller.userId);
  const by = (await addressOf(tables, caller.userId)) ?? '';
  afterCommit(() => {
    for (const owner of owners) mail.sendLater(async () => write(owner, by));
  });
}

const otherName: Problem = {
  status: 400,
  code: '22023',
  message: 'invalid value for argument "name"',
  details: 'It must be the name of the practice.',
  hint: 'Type the name as practices?select=name shows it, with the same capital letters and spaces.',
};
