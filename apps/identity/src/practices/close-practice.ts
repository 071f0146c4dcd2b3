// The rules of the end of a practice: only the service itself sends these commands, for an owner.

import { closePractice, memberships, practices, reopenPractice } from '@practice/contracts';
import { type Problem, problemFor, reject } from '@practice/core';
import { closePractice as closeLog, run } from '@practice/log';
import { type ArgumentsOf, instant, deciding } from '@practice/resource';
import { closed, type FunctionHandler, Handles, type WritingCall } from '@practice/write';
import { type Mail, OutgoingMail } from '../notices/outgoing-mail.js';
import { practiceClosedMail, practiceReopenedMail } from '../notices/practice-templates.js';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { tablesOn } from '../store/database.js';
import { noteCall } from '../store/security-events.js';
import { actForCaller } from '../store/transactions.js';
import { nameOf, ownersOf } from '../users/access.js';
import { addressOf } from '../users/users.js';

/** Closes a practice. `erase_at` is when it will be erased. */
export const closing = deciding(practices, {
  changed: (changes, state) => {
    if (state?.erase_at != null) reject(closed(state.erase_at));
    const { closed_at = null, erase_at = null } = changes as { closed_at?: string; erase_at?: string };
    return [{ type: 'PracticeClosed', data: { closed_at, erase_at } }];
  },
});

/** Opens a closed practice again. */
export const reopening = deciding(practices, {
  changed: (_, state, { now }) => {
    if (state?.erase_at == null) return [];
    if (Date.parse(state.erase_at) <= Date.parse(now)) reject(tooLate(state.erase_at));
    return [{ type: 'PracticeReopened', data: { closed_at: null, erase_at: null } }];
  },
});

/** Marks a closed practice as erased. */
export const erasing = deciding(practices, {
  changed: (_, state, { now }) => {
    if (state === null || state.erased_at !== null) return [];
    if (state.closed_at === null) throw new Error('an open practice is closed before it is erased');
    return [{ type: 'PracticeErased', data: { erased_at: now, name: ERASED_NAME, email: ERASED_ADDRESS } }];
  },
});

/** Ends a membership of an erased practice, with any status, including that of the last owner. */
export const dismissing = deciding(memberships, {
  changed: (_, state) => {
    const removed = { type: 'MembershipRemoved', data: { status: 'removed' } } as const;
    const blank = { display_name: null, email: ERASED_ADDRESS };
    return [
      ...(state?.status === 'removed' ? [] : [removed]),
      { type: 'MembershipDetailsChanged', data: blank },
    ];
  },
});

const ERASED_NAME = 'Erased practice';

/** The top-level domain `invalid` never exists (RFC 2606). */
export const ERASED_ADDRESS = 'erased@erased.invalid';

const tooLate = (eraseAt: string): Problem =>
  problemFor('PM017', {
    message: 'the practice is erased, so it cannot be opened again',
    details: `It could be reopened until ${eraseAt}.`,
  });

const READ_ONLY_DAYS = 30;
const DAY_MS = 86_400_000;

/** Closes the practice of the caller. The other services get the event, and store the closure with the heads of their logs. */
@Handles(closePractice)
export class ClosePractice implements FunctionHandler<typeof closePractice> {
  constructor(
    private readonly recent: RecentSignIn,
    private readonly mail: OutgoingMail,
  ) {}

  /** @throws {Rejection} 22023 when the name is not that of the practice, or when the sign-in is not recent */
  async call({ name, reason, ...proof }: ArgumentsOf<typeof closePractice>, call: WritingCall) {
    const { caller, transaction } = call;
    const { now, client } = transaction;
    const { therapistId, address = '' } = caller;
    if (name !== (await nameOf(tablesOn(client), therapistId))) reject(otherName);
    await this.recent.require({ identity: caller, address }, proof);
    const times = { closed_at: now, erase_at: instant(Date.parse(now) + READ_ONLY_DAYS * DAY_MS) };
    await transaction.changeBy(closing, therapistId, times);
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
    await transaction.changeBy(reopening, therapistId, times);
    await run(client, closeLog('identity', { therapistId, eraseAt: null }));
    await noteCall(transaction, 'practice_reopened', { caller });
    await tellOwners(this.mail, call, (owner, by) => practiceReopenedMail(owner, { name, by }));
    return { therapist_id: therapistId, reopened: true };
  }
}

/** Mails each owner after the commit. The mail names the caller. From here on the transaction acts for the caller. */
export async function tellOwners(
  mail: OutgoingMail,
  { caller, transaction, afterCommit }: WritingCall,
  write: (owner: string, by: string) => Mail,
): Promise<void> {
  const tables = tablesOn(transaction.client);
  const owners = await ownersOf(tables, caller.therapistId);
  await actForCaller(tables, caller.userId);
  const by = (await addressOf(tables, caller.userId)) ?? '';
  afterCommit(() => {
    for (const owner of owners) mail.sendLater(write(owner, by));
  });
}

const otherName = problemFor('22023', {
  message: 'invalid value for argument "name"',
  details: 'It must be the name of the practice.',
  hint: 'Type the name as practices?select=name shows it, with the same capital letters and spaces.',
});
