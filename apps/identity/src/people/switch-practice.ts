import { switchPractice } from '@practice/contracts';
import { reject } from '@practice/core';
import type { Identity, PracticeRole, Problem } from '@practice/core';
import type { ArgumentsOf } from '@practice/resource';
import { Handles } from '@practice/service';
import type { FunctionHandler, WritingCall } from '@practice/service';
import type { ClientBase } from 'pg';
import { noteCall } from '../security/security-events.js';
import { moveSession } from '../sessions/sessions.js';
import { actForCaller } from '../transactions.js';
import { standingIn } from './access.js';

/** Sets the practice that a session acts in; the session's next access token carries it. Later sign-ins begin there too. */
@Handles(switchPractice)
export class SwitchPractice implements FunctionHandler<typeof switchPractice> {
  /** @throws {Rejection} 42501 when the user is not a member of the practice, the access is held, or the session has ended */
  async call({ therapist_id: therapistId }: ArgumentsOf<typeof switchPractice>, call: WritingCall) {
    const { transaction, caller } = call;
    const { userId } = caller;
    await actForCaller(transaction.client, userId);
    // Before the practice is locked: strangers lock nothing.
    if ((await standingIn(transaction.client, { userId, therapistId })) === undefined) reject(notMember);
    const role = await transaction.within(therapistId, async (there) => {
      await noteCall(there, 'practice_entered', { caller: { ...caller, therapistId } });
      return enter(there.client, caller, therapistId);
    });
    return { therapist_id: therapistId, role };
  }
}

/** Moves the session of the user that the transaction acts for. Returns the role in the practice. */
async function enter(
  client: ClientBase,
  { userId, sessionId = '' }: Identity,
  therapistId: string,
): Promise<PracticeRole> {
  const { role, isHeld } =
    (await standingIn(client, { userId, therapistId }, { isKept: true })) ?? reject(notMember);
  if (isHeld) reject(held);
  if (sessionId === '' || !(await moveSession(client, { userId, sessionId }, therapistId))) reject(noSession);
  await client.query('UPDATE identity.credentials SET therapist_id = $2 WHERE user_id = $1', [
    userId,
    therapistId,
  ]);
  return role;
}

/** The same for a practice that does not exist, so that it does not reveal which ones do. */
const notMember: Problem = {
  status: 403,
  code: '42501',
  message: 'you are not a member of this practice',
};

const held: Problem = {
  status: 403,
  code: '42501',
  message:
    'your access to this practice is held, since an owner of another practice has reset your second factors',
  hint: 'Ask an owner of this practice to call reset_factors for you. Where you are the only owner, wait for seven days.',
};

const noSession: Problem = {
  status: 403,
  code: '42501',
  message: 'the session has ended',
};
