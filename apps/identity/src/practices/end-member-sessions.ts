import { endMemberSessions } from '@practice/contracts';
import { reject } from '@practice/core';
import type { ArgumentsOf } from '@practice/resource';
import { Handles } from '@practice/write';
import type { FunctionHandler, WritingCall } from '@practice/write';
import { endArchives } from '../exports/archives.js';
import { GatewayAnnouncements } from '../notices/announcements.js';
import { notMember, standingIn } from '../users/access.js';
import { noteCall } from '../store/security-events.js';
import { Sessions } from '../sessions/sessions.js';
import { actForCaller } from '../store/transactions.js';
import { tablesOn } from '../store/database.js';

/** An owner signs a member out of the practice. */
@Handles(endMemberSessions)
export class EndMemberSessions implements FunctionHandler<typeof endMemberSessions> {
  constructor(
    private readonly sessions: Sessions,
    private readonly gateways: GatewayAnnouncements,
  ) {}

  /** @throws {Rejection} PM404 when the person is no active member */
  async call({ user_id: userId }: ArgumentsOf<typeof endMemberSessions>, call: WritingCall) {
    const { caller, transaction, afterCommit } = call;
    const tables = tablesOn(transaction.client);
    const { therapistId } = caller;
    if ((await standingIn(tables, { userId, therapistId })) === undefined) reject(notMember);
    await actForCaller(tables, userId);
    const ended = await this.sessions.endIn(tables, { userId, therapistId });
    await endArchives(tables, { userId, therapistId });
    if (ended.length > 0) await noteCall(transaction, 'session_ended', { caller, userId });
    afterCommit(() => this.gateways.sessionsEnded(ended));
    return { user_id: userId, ended: ended.length };
  }
}
