import { currentIdentity, endSession, openSessions } from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import { type ArgumentsOf, instant } from '@practice/resource';
import { type FunctionCall, type FunctionHandler, Handles, type WritingCall } from '@practice/write';
import { IsNull } from 'typeorm';
import { GatewayAnnouncements } from '../notices/announcements.js';
import { tablesOn } from '../store/database.js';
import { noteCall } from '../store/security-events.js';
import { Session } from '../store/session.entities.js';
import { actForCaller, Transactions } from '../store/transactions.js';
import { RecentSignIn } from './recent-sign-in.js';
import { Sessions } from './sessions.js';

/** Reads only the verified token. */
@Handles(currentIdentity)
export class CurrentIdentity implements FunctionHandler<typeof currentIdentity> {
  call(_: object, { caller }: FunctionCall) {
    return {
      therapist_id: caller.therapistId,
      user_id: caller.userId,
      role: caller.practiceRole,
      session_id: caller.sessionId ?? null,
      token_id: caller.tokenId ?? null,
      token_name: caller.tokenName ?? null,
      scopes: caller.scopes === undefined ? null : [...caller.scopes],
    };
  }
}

@Handles(openSessions)
export class OpenSessions implements FunctionHandler<typeof openSessions> {
  constructor(private readonly transactions: Transactions) {}

  async call(_: object, { caller: { userId, sessionId } }: FunctionCall) {
    const order = { createdAt: 'DESC', id: 'ASC' } as const;
    const sessions = await this.transactions.run({ userId }, (tables) =>
      tables.find(Session, { where: { userId, endedAt: IsNull() }, order }),
    );
    return sessions.map(({ id, method, createdAt }) => ({
      id,
      method,
      created_at: instant(createdAt.getTime()),
      is_current: id === sessionId,
    }));
  }
}

@Handles(endSession)
export class EndSession implements FunctionHandler<typeof endSession> {
  constructor(
    private readonly sessions: Sessions,
    private readonly recent: RecentSignIn,
    private readonly gateways: GatewayAnnouncements,
  ) {}

  /** @throws {Rejection} PM404 when the caller does not have this open session, or when it is another session and the sign-in is not recent */
  async call(given: ArgumentsOf<typeof endSession>, call: WritingCall): Promise<void> {
    const { session_id: sessionId, ...proof } = given;
    const { caller, transaction, afterCommit } = call;
    const tables = tablesOn(transaction.client);
    const { userId, address = '' } = caller;
    if (sessionId !== caller.sessionId) await this.recent.require({ identity: caller, address }, proof);
    await actForCaller(tables, userId);
    const ended = await this.sessions.end(tables, { userId, sessionId }, 'local');
    if (ended.length === 0) reject(notOpen);
    await noteCall(transaction, 'session_ended', { caller });
    afterCommit(() => this.gateways.sessionsEnded(ended));
  }
}

const notOpen = problemFor('PM404', { message: 'The session is not open, or belongs to another user' });
