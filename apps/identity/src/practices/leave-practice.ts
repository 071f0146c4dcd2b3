import { leavePractice } from '@practice/contracts';
import { reject } from '@practice/core';
import type { ArgumentsOf, Decider } from '@practice/resource';
import { Handles } from '@practice/write';
import type { FunctionHandler, WritingCall } from '@practice/write';
import { notMember } from '../users/access.js';
import { Not } from 'typeorm';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { noteCall } from '../store/security-events.js';
import { MembershipRecord } from '../store/record.entities.js';
import { lastOwner, leaving } from './membership.js';
import { tablesOn } from '../store/database.js';

/** Ends the caller's own membership. Its effect ends what the caller has opened in the practice. */
@Handles(leavePractice)
export class LeavePractice implements FunctionHandler<typeof leavePractice> {
  constructor(private readonly recent: RecentSignIn) {}

  /** @throws {Rejection} PM009 for the last owner; when the sign-in is not recent */
  async call(proof: ArgumentsOf<typeof leavePractice>, { caller, transaction }: WritingCall) {
    const { therapistId, userId, address = '' } = caller;
    await this.recent.require({ identity: caller, address }, proof);
    // Under the lock of the practice: of two owners who leave at the same time, one stays.
    const tables = tablesOn(transaction.client);
    const active = { therapistId, status: 'active' };
    const own = (await tables.findOneBy(MembershipRecord, { ...active, userId })) ?? reject(notMember);
    const { id } = own;
    const others = { ...active, role: 'owner', id: Not(id) };
    if (own.role === 'owner' && !(await tables.existsBy(MembershipRecord, others))) reject(lastOwner);
    await transaction.changeBy(leaving as unknown as Decider, id, { status: 'removed' });
    await noteCall(transaction, 'member_removed', { caller });
    return { therapist_id: therapistId };
  }
}
