import { switchPractice } from '@practice/contracts';
import { reject } from '@practice/core';
import type { Identity, PracticeRole, Problem } from '@practice/core';
import type { ArgumentsOf } from '@practice/resource';
import { Handles } from '@practice/write';
import type { FunctionCall, FunctionHandler, RecordTransaction, WritingCall } from '@practice/write';
import { noteCall } from '../store/security-events.js';
import { Credential } from '../store/account.entities.js';
import { moveSession, NO_SESSION } from '../sessions/sessions.js';
import { actForCaller, Transactions } from '../store/transactions.js';
import { standingIn } from '../users/access.js';
import { EndHold } from './end-hold.js';
import type { HoldProof } from './end-hold.js';
import { tablesOn } from '../store/database.js';

/** Sets the practice that a session acts in; the session's next access token carries it. Later sign-ins begin there too. */
@Handles(switchPractice)
export class SwitchPractice implements FunctionHandler<typeof switchPractice> {
  constructor(
    private readonly hold: EndHold,
    private readonly transactions: Transactions,
  ) {}

  /** Strangers lock nothing. */
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
      const entering = { ...caller, therapistId };
      await noteCall(there, 'practice_entered', { caller: entering });
      return this.enter(there, entering, proof);
    });
    return { therapist_id: therapistId, role };
  }

  /** Moves the session of the user that the transaction acts for. Returns the role in the practice. */
  private async enter(there: RecordTransaction, entering: Identity, proof: HoldProof): Promise<PracticeRole> {
    const tables = tablesOn(there.client);
    const { userId, therapistId, sessionId = NO_SESSION } = entering;
    const { role, isHeld } = (await standingIn(tables, entering, { isKept: true })) ?? reject(notMember);
    if (isHeld) await this.hold.execute(there, entering, proof);
    if (!(await moveSession(tables, { userId, sessionId }, therapistId))) reject(noSession);
    await tables.update(Credential, { userId }, { therapistId });
    return role;
  }
}

/** The same for a practice that does not exist, so that it does not reveal which ones do. */
const notMember: Problem = {
  status: 403,
  code: '42501',
  message: 'you are not a member of this practice',
};

const noSession: Problem = {
  status: 403,
  code: '42501',
  message: 'the session has ended',
};
