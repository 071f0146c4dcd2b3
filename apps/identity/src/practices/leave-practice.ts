import { leavePractice } from '@practice/contracts';
import { reject } from '@practice/core';
import type { ArgumentsOf, Decider } from '@practice/resource';
import { Handles } from '@practice/write';
import type { FunctionHandler, WritingCall } from '@practice/write';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { noteCall } from '../store/security-events.js';
import { lastOwner, leaving } from './membership.js';
import { notMember } from './problems.js';

/** Ends the caller's own membership. Its effect ends what the caller has opened in the practice. */
@Handles(leavePractice)
export class LeavePractice implements FunctionHandler<typeof leavePractice> {
  constructor(private readonly recent: RecentSignIn) {}

  /** @throws {Rejection} PM009 for the last owner; when the sign-in is not recent */
  async call(proof: ArgumentsOf<typeof leavePractice>, { caller, transaction }: WritingCall) {
    const { therapistId, userId, address = '' } = caller;
    await this.recent.require({ identity: caller, address }, proof);
    // Under the lock of the practice: of two owners who leave at the same time, one stays.
    const { rows } = await transaction.client.query<{ id: string; isLastOwner: boolean }>(
      `SELECT m.id, m.role = 'owner' AND NOT EXISTS (SELECT FROM identity.memberships AS o
         WHERE o.therapist_id = $1 AND o.role = 'owner' AND o.status = 'active' AND o.id <> m.id) AS "isLastOwner"
       FROM identity.memberships AS m WHERE m.therapist_id = $1 AND m.user_id = $2 AND m.status = 'active'`,
      [therapistId, userId],
    );
    const { id, isLastOwner } = rows[0] ?? reject(notMember);
    if (isLastOwner) reject(lastOwner);
    await transaction.changeBy(leaving as unknown as Decider, id, { status: 'removed' });
    await noteCall(transaction, 'member_removed', { caller });
    return { therapist_id: therapistId };
  }
}
