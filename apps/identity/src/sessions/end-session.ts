import { endSession } from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import type { ArgumentsOf } from '@practice/resource';
import { Handles } from '@practice/write';
import type { FunctionHandler, WritingCall } from '@practice/write';
import { RecentSignIn } from './recent-sign-in.js';
import { GatewayAnnouncements } from '../notices/announcements.js';
import { noteCall } from '../store/security-events.js';
import { Sessions } from './sessions.js';
import { actForCaller } from '../store/transactions.js';

@Handles(endSession)
export class EndSession implements FunctionHandler<typeof endSession> {
  constructor(
    private readonly sessions: Sessions,
    private readonly recent: RecentSignIn,
    private readonly gateways: GatewayAnnouncements,
  ) {}

  /** @throws {Rejection} PM404 when it is not an open session of the caller; or it is another one and the sign-in is not recent */
  async call(given: ArgumentsOf<typeof endSession>, call: WritingCall): Promise<void> {
    const { session_id: sessionId, ...proof } = given;
    const { caller, transaction, afterCommit } = call;
    const { userId, address = '' } = caller;
    if (sessionId !== caller.sessionId) await this.recent.require({ identity: caller, address }, proof);
    await actForCaller(transaction.client, userId);
    const ended = await this.sessions.end(transaction.client, { userId, sessionId }, 'local');
    if (ended.length === 0) reject(notOpen);
    await noteCall(transaction, 'session_ended', { caller });
    afterCommit(() => this.gateways.sessionsEnded(ended));
  }
}

const notOpen = problemFor('PM404', { message: 'The session is not open, or belongs to another user' });
