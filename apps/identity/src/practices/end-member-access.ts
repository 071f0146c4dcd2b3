import { breakGlass, endMemberSessions } from '@practice/contracts';
import { type PracticeRole, type Problem, problemFor, reject } from '@practice/core';
import { type ArgumentsOf, instant } from '@practice/resource';
import { type FunctionHandler, Handles, type WritingCall } from '@practice/write';
import { type EntityManager, Raw } from 'typeorm';
import { endArchives } from '../exports/archives.js';
import { GatewayAnnouncements } from '../notices/announcements.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { glassBrokenMail } from '../notices/practice-templates.js';
import { breakGlassIn } from '../sessions/broken-glass.js';
import { Sessions } from '../sessions/sessions.js';
import { tablesOn } from '../store/database.js';
import { SecurityEventRecord } from '../store/record.entities.js';
import { noteCall } from '../store/security-events.js';
import { actForCaller } from '../store/transactions.js';
import { type Member, notMember, standingIn } from '../users/access.js';
import { tellOwners } from './close-practice.js';

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

/** The maximum number of calls of a member within an hour. Each call mails the owners and stores an event. */
const CALLS = 5;
const HOUR_SECONDS = 3600;

/**
 * Gives the session of the caller break-glass access. Everything is read and stored under the lock of the practice, so a simultaneous
 * change of the role either comes first or ends the access.
 */
@Handles(breakGlass)
export class BreakGlass implements FunctionHandler<typeof breakGlass> {
  constructor(
    private readonly gateways: GatewayAnnouncements,
    private readonly mail: OutgoingMail,
  ) {}

  /** @throws {Rejection} 42501 when the role has changed or the session has ended, PM004 after too many calls */
  async call({ reason }: ArgumentsOf<typeof breakGlass>, call: WritingCall) {
    const { caller, transaction, afterCommit } = call;
    const tables = tablesOn(transaction.client);
    const { therapistId, userId, sessionId = '' } = caller;
    const { role } = (await standingIn(tables, caller)) ?? reject(notPermitted);
    if (!isPermitted(role)) reject(notPermitted);
    await requireFew(tables, caller);
    const id = await noteCall(transaction, 'glass_broken', { caller, reason });
    await actForCaller(tables, userId);
    const access =
      (await breakGlassIn(tables, { userId, sessionId, therapistId, role, id })) ?? reject(noSession);
    const until = instant(access.until);
    await tellOwners(this.mail, call, (owner, member) => glassBrokenMail(owner, { member, until }));
    afterCommit(() => this.gateways.announce({ type: 'GlassBroken', access }));
    return { id, until };
  }
}

const isPermitted = (role: PracticeRole): boolean => breakGlass.roles.some((one) => one === role);

/** Limits the calls of a member. Counts the events, so that every process of the service counts the same calls. */
async function requireFew(tables: EntityManager, { userId, therapistId }: Member): Promise<void> {
  const created = Raw((column) => `${column} > now() - interval '1 hour'`);
  const [oldest] = await tables.find(SecurityEventRecord, {
    where: { therapistId, userId, kind: 'glass_broken', createdAt: created },
    order: { createdAt: 'DESC' },
    skip: CALLS - 1,
    take: 1,
  });
  if (oldest === undefined) return;
  const wait = Math.ceil((oldest.createdAt.getTime() - Date.now()) / 1000) + HOUR_SECONDS;
  reject(tooMany(Math.max(1, wait)));
}

const notPermitted = problemFor('42501', {
  message: 'permission denied for function break_glass',
  details: 'The role in the practice has changed.',
});

const noSession = problemFor('42501', { message: 'the session has ended, or acts in another practice now' });

const tooMany = (seconds: number): Problem =>
  problemFor('PM004', {
    message: `break_glass can be called ${CALLS} times in an hour`,
    headers: { 'Retry-After': String(seconds) },
  });
