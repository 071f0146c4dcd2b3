import { acceptInvitation } from '@practice/contracts';
import { isPracticeRole, problemFor, reject } from '@practice/core';
import type { Identity, PracticeRole, Problem } from '@practice/core';
import type { ArgumentsOf, Decider } from '@practice/resource';
import { Handles, requireOpen } from '@practice/write';
import type { FunctionCall, FunctionHandler, RecordTransaction, WritingCall } from '@practice/write';
import { ConfirmedAddress } from '../users/confirmed-address.js';
import { MembershipRecord } from '../store/record.entities.js';
import { Invitation } from '../store/practice.entities.js';
import { addressOf } from '../users/users.js';
import { noteCall } from '../store/security-events.js';
import { tokenHash } from '../store/secrets.js';
import { actForCaller, Transactions } from '../store/transactions.js';
import { invitationByHash, practicesInviting } from './invitations.js';
import { joining } from './membership.js';
import { tablesOn } from '../store/database.js';

/** Makes the signed-in person a member of the practice that has invited the person's address. */
@Handles(acceptInvitation)
export class AcceptInvitation implements FunctionHandler<typeof acceptInvitation> {
  constructor(
    private readonly confirmed: ConfirmedAddress,
    private readonly transactions: Transactions,
  ) {}

  otherPractices(
    { token }: ArgumentsOf<typeof acceptInvitation>,
    { caller: { userId } }: FunctionCall,
  ): Promise<readonly string[]> {
    return practicesInviting(this.transactions, userId, tokenHash(token));
  }

  /** @throws {Rejection} PM013 for a token that is not valid, 42501 when the address of the account is another one,
   *    `email_not_confirmed` when it is not confirmed, PM017 when the practice is closed */
  async call({ token }: ArgumentsOf<typeof acceptInvitation>, call: WritingCall) {
    const { transaction, caller } = call;
    const tables = tablesOn(transaction.client);
    const { userId } = caller;
    await actForCaller(tables, userId, tokenHash(token));
    const invitation = (await invitationByHash(tables, tokenHash(token))) ?? reject(notValid);
    await this.confirmed.require(tables, userId);
    const email = await addressOf(tables, userId);
    return joinInvited(transaction, { invitation, userId, email, from: caller });
  }
}

interface Joining {
  readonly invitation: Invitation;
  readonly userId: string;
  /** The address of the account. */
  readonly email: string | undefined;
}

/**
 * Makes the person a member.
 * @param transaction has locked the practice, see `practicesInviting`
 * @param joining.from the session and the network address of the request, for the security event
 * @throws {Rejection} PM013, 42501 when the invitation is for another address, PM017 when the practice is closed
 */
export function joinInvited(
  transaction: RecordTransaction,
  { from, ...joining }: Joining & { readonly from: Pick<Identity, 'sessionId' | 'address'> },
): Promise<{ therapist_id: string; role: PracticeRole }> {
  const { therapistId } = joining.invitation;
  const { userId } = joining;
  return transaction.within(therapistId, async (there) => {
    requireOpen(there);
    const joined = await join(there, joining);
    await noteCall(there, 'invitation_accepted', {
      caller: { ...from, userId, therapistId, practiceRole: joined.role },
    });
    return joined;
  });
}

async function join(transaction: RecordTransaction, { invitation, userId, email: address }: Joining) {
  const { therapistId, membershipId } = invitation;
  // Again under the lock of the practice: it may have been accepted or deleted meanwhile.
  const tables = tablesOn(transaction.client);
  const invited = await tables.findOneBy(MembershipRecord, { therapistId, id: membershipId });
  if (invited === null || !(await tables.existsBy(Invitation, { therapistId, membershipId })))
    return reject(notValid);
  const { email, role } = invited;
  if (email !== address) reject(otherAddress);
  if (await tables.existsBy(MembershipRecord, { therapistId, userId, status: 'active' }))
    reject(alreadyMember);
  const joined = { status: 'active', user_id: userId, joined_at: transaction.now };
  await transaction.changeBy(joining as unknown as Decider, membershipId, joined);
  return { therapist_id: therapistId, role: isPracticeRole(role) ? role : reject(notValid) };
}

export const notValid: Problem = problemFor('PM013');

const otherAddress: Problem = {
  status: 403,
  code: '42501',
  message: 'the invitation is for another address',
  hint: 'Sign in with the account of the address that got the mail, or sign up with that address.',
};

const alreadyMember: Problem = {
  status: 409,
  code: '23505',
  message: 'you are already a member of this practice',
};
