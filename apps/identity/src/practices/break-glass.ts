import { breakGlass } from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import type { PracticeRole, Problem } from '@practice/core';
import type { ArgumentsOf } from '@practice/resource';
import { instant } from '@practice/resource';
import { Handles } from '@practice/write';
import type { FunctionHandler, WritingCall } from '@practice/write';
import type { EntityManager } from 'typeorm';
import { Raw } from 'typeorm';
import { SecurityEventRecord } from '../store/record.entities.js';
import { addressOf } from '../users/users.js';
import { GatewayAnnouncements } from '../notices/announcements.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { glassBrokenMail } from '../notices/templates.js';
import { standingIn } from '../users/access.js';
import type { Member } from '../users/access.js';
import { ownersOf } from '../users/owners.js';
import { noteCall } from '../store/security-events.js';
import { breakGlassIn } from '../sessions/broken-glass.js';
import { actForCaller } from '../store/transactions.js';
import { tablesOn } from '../store/database.js';

/** Calls of a member within an hour. Each is a mail to the owners and an event that stays. */
const CALLS = 5;
const HOUR_SECONDS = 3600;

/**
 * Gives the session of the caller break-glass access. Everything is read and stored under the lock of the practice, so a change
 * of the role at the same time comes before it, or ends it.
 */
@Handles(breakGlass)
export class BreakGlass implements FunctionHandler<typeof breakGlass> {
  constructor(
    private readonly gateways: GatewayAnnouncements,
    private readonly mail: OutgoingMail,
  ) {}

  /** @throws {Rejection} 42501 when the role has changed or the session has ended; PM004 after too many calls */
  async call({ reason }: ArgumentsOf<typeof breakGlass>, call: WritingCall) {
    const { caller, transaction, afterCommit } = call;
    const tables = tablesOn(transaction.client);
    const { therapistId, userId, sessionId = '' } = caller;
    const { role } = (await standingIn(tables, caller)) ?? reject(notPermitted);
    if (!isPermitted(role)) reject(notPermitted);
    await requireFew(tables, caller);
    const owners = await ownersOf(tables, therapistId);
    const id = await noteCall(transaction, 'glass_broken', { caller, reason });
    await actForCaller(tables, userId);
    const access =
      (await breakGlassIn(tables, { userId, sessionId, therapistId, role, id })) ?? reject(noSession);
    const member = (await addressOf(tables, userId)) ?? '';
    const until = instant(access.until);
    afterCommit(() => {
      for (const owner of owners) this.mail.sendLater(async () => glassBrokenMail(owner, { member, until }));
      return this.gateways.glassBroken(access);
    });
    return { id, until };
  }
}

const isPermitted = (role: PracticeRole): boolean => breakGlass.roles.some((one) => one === role);

/** Counted by the events, so that every process of the service counts the same. */
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

const notPermitted: Problem = {
  status: 403,
  code: '42501',
  message: 'permission denied for function break_glass',
  details: 'The role in the practice has changed.',
};

const noSession: Problem = {
  status: 403,
  code: '42501',
  message: 'the session has ended, or acts in another practice now',
};

const tooMany = (seconds: number): Problem =>
  problemFor('PM004', {
    message: `break_glass can be called ${CALLS} times in an hour`,
    headers: { 'Retry-After': String(seconds) },
  });
