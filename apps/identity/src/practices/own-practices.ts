import { leavePractice, myPractices, openPractice, switchPractice } from '@practice/contracts';
import { type PracticeRole, problemFor, reject } from '@practice/core';
import type { ArgumentsOf } from '@practice/resource';
import { Handles } from '@practice/write';
import type { FunctionCall, FunctionHandler, RecordTransaction, WritingCall } from '@practice/write';
import { Not } from 'typeorm';
import { problems, refuse } from '../calls/problems.js';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { moveSession, NO_SESSION } from '../sessions/sessions.js';
import { Credential } from '../store/account.entities.js';
import { tablesOn } from '../store/database.js';
import { MembershipRecord } from '../store/record.entities.js';
import { noteCall } from '../store/security-events.js';
import { actForCaller, Transactions } from '../store/transactions.js';
import { namedPracticesOf, notMember as noSuchMember, practicesOf, standingIn } from '../users/access.js';
import { openFor } from '../users/founders.js';
import { addressOf, ConfirmedAddress } from '../users/users.js';
import { lastOwner, leaving } from './membership.js';
import { EndHold, type HoldProof } from './reset-factors.js';

@Handles(myPractices)
export class MyPractices implements FunctionHandler<typeof myPractices> {
  constructor(private readonly transactions: Transactions) {}

  async call(_: object, { caller: { userId, therapistId: current } }: FunctionCall) {
    const named = await this.transactions.run({ userId }, (tables) => namedPracticesOf(tables, userId));
    return named.map(({ therapistId, role, isHeld, name }) => ({
      ...{ therapist_id: therapistId, role, is_held: isHeld, name },
      is_current: therapistId === current,
    }));
  }
}

/** Opens a practice for a person who owns none. */
@Handles(openPractice)
export class OpenPractice implements FunctionHandler<typeof openPractice> {
  constructor(private readonly confirmed: ConfirmedAddress) {}

  /** Locks the practice with the person's own id, so that two simultaneous calls open only one practice. */
  otherPractices(_: object, { caller: { userId } }: FunctionCall): readonly string[] {
    return [userId];
  }

  /** @throws {Rejection} 23505 for an owner, `email_not_confirmed` */
  async call(_: object, { caller: { userId }, transaction }: WritingCall) {
    const tables = tablesOn(transaction.client);
    await actForCaller(tables, userId);
    await this.confirmed.require(tables, userId);
    const email = (await addressOf(tables, userId)) ?? refuse(problems.userGone);
    const opened = await transaction.within(userId, async (home) => {
      if ((await practicesOf(tables, userId)).some(({ role }) => role === 'owner')) reject(isOwner);
      return openFor(home, { id: userId, email, metadata: {} });
    });
    return { therapist_id: opened };
  }
}

const isOwner = problemFor('23505', {
  message: 'you own a practice already',
  hint: 'List your practices with rpc/my_practices.',
});

/** Sets the practice that a session acts in; the session's next access token carries it. Later sign-ins begin in it too. */
@Handles(switchPractice)
export class SwitchPractice implements FunctionHandler<typeof switchPractice> {
  constructor(
    private readonly hold: EndHold,
    private readonly transactions: Transactions,
  ) {}

  /** Locks the practice to enter. Callers who are not members lock nothing. */
  async otherPractices(
    { therapist_id: therapistId }: ArgumentsOf<typeof switchPractice>,
    { caller: { userId } }: FunctionCall,
  ): Promise<readonly string[]> {
    const standing = await this.transactions.run({ userId }, (tables) =>
      standingIn(tables, { userId, therapistId }),
    );
    return standing === undefined ? [] : [therapistId];
  }

  /** @throws {Rejection} 42501 when the user is not a member of the practice, the access is held, or the session has ended */
  async call({ therapist_id: therapistId, ...proof }: ArgumentsOf<typeof switchPractice>, call: WritingCall) {
    const { transaction, caller } = call;
    const { userId } = caller;
    await actForCaller(tablesOn(transaction.client), userId);
    if ((await standingIn(tablesOn(transaction.client), { userId, therapistId })) === undefined)
      reject(notMember);
    const role = await transaction.within(therapistId, async (there) => {
      const entering = { ...call, caller: { ...caller, therapistId } };
      await noteCall(there, 'practice_entered', { caller: entering.caller });
      return this.enter(there, entering, proof);
    });
    return { therapist_id: therapistId, role };
  }

  /** Moves the session of the user that the transaction acts for. Returns the role in the practice. */
  private async enter(there: RecordTransaction, call: WritingCall, proof: HoldProof): Promise<PracticeRole> {
    const tables = tablesOn(there.client);
    const { caller } = call;
    const { userId, therapistId, sessionId = NO_SESSION } = caller;
    const { role, isHeld } = (await standingIn(tables, caller, { isKept: true })) ?? reject(notMember);
    if (isHeld) await this.hold.execute(there, call, proof);
    if (!(await moveSession(tables, { userId, sessionId }, therapistId))) reject(noSession);
    await tables.update(Credential, { userId }, { therapistId });
    return role;
  }
}

/** The same problem as for a practice that does not exist, so it does not reveal which practices exist. */
const notMember = problemFor('42501', { message: 'you are not a member of this practice' });

const noSession = problemFor('42501', { message: 'the session has ended' });

/** Ends the caller's own membership. Its effect ends the caller's sessions, tokens and links in the practice. */
@Handles(leavePractice)
export class LeavePractice implements FunctionHandler<typeof leavePractice> {
  constructor(private readonly recent: RecentSignIn) {}

  /** @throws {Rejection} PM009 for the last owner, or when the sign-in is not recent */
  async call(proof: ArgumentsOf<typeof leavePractice>, { caller, transaction }: WritingCall) {
    const { therapistId, userId, address = '' } = caller;
    await this.recent.require({ identity: caller, address }, proof);
    // Under the lock of the practice: of two owners who leave at the same time, one stays.
    const tables = tablesOn(transaction.client);
    const active = { therapistId, status: 'active' };
    const own = (await tables.findOneBy(MembershipRecord, { ...active, userId })) ?? reject(noSuchMember);
    const { id } = own;
    const others = { ...active, role: 'owner', id: Not(id) };
    if (own.role === 'owner' && !(await tables.existsBy(MembershipRecord, others))) reject(lastOwner);
    await transaction.changeBy(leaving, id, { status: 'removed' });
    await noteCall(transaction, 'member_removed', { caller });
    return { therapist_id: therapistId };
  }
}
