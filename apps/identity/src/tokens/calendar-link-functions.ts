import { randomUUID } from 'node:crypto';
import { Inject } from '@nestjs/common';
import {
  CALENDAR_FILE,
  CALENDAR_PATH,
  calendarLinks,
  createCalendarLink,
  revokeCalendarLink,
} from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import type { Problem } from '@practice/core';
import { instant } from '@practice/resource';
import type { ArgumentsOf } from '@practice/resource';
import { Handles } from '@practice/write';
import type { FunctionCall, FunctionHandler, WritingCall } from '@practice/write';
import { IDENTITY_CONFIG } from '../identity.config.js';
import type { IdentityConfig } from '../identity.config.js';
import { openSession } from '../sessions/proven.js';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { nowInMilliseconds, tablesOn } from '../store/database.js';
import { CalendarLink } from '../store/practice.entities.js';
import { randomToken, tokenHash } from '../store/secrets.js';
import { noteCall } from '../store/security-events.js';
import { actForCaller, Transactions } from '../store/transactions.js';
import { notMember, standingIn } from '../users/access.js';
import { canHaveCalendar } from './presented-calendar-link.js';

/** Links of one member in a practice at most. */
const MAX_LINKS = 20;

/** Makes a calendar link, under the lock of the practice: a removal of the member at the same time comes before it, or ends it. */
@Handles(createCalendarLink)
export class CreateCalendarLink implements FunctionHandler<typeof createCalendarLink> {
  constructor(
    private readonly recent: RecentSignIn,
    @Inject(IDENTITY_CONFIG) private readonly config: Pick<IdentityConfig, 'baseUrl'>,
  ) {}

  /** @throws {Rejection} PM404 when the practitioner is no member, PM018 after twenty links, 42501 without the role; or the sign-in is not recent */
  async call(given: ArgumentsOf<typeof createCalendarLink>, call: WritingCall) {
    const { full, practitioner_id: practitionerId, ...proof } = given;
    const { caller, transaction } = call;
    const tables = tablesOn(transaction.client);
    const { therapistId, userId, sessionId = '', address = '' } = caller;
    await this.recent.require({ identity: caller, address }, proof);
    if (!canHaveCalendar(await standingIn(tables, caller))) reject(notPermitted);
    if (practitionerId !== null) await requireMember(tables, { therapistId, userId: practitionerId });
    const secret = randomToken();
    if ((await tables.countBy(CalendarLink, { therapistId, userId })) >= MAX_LINKS) reject(tooMany);
    const link = { therapistId, userId, secretHash: tokenHash(secret), isFull: full, practitionerId };
    const id = randomUUID();
    await tables.insert(CalendarLink, { ...link, id, createdAt: nowInMilliseconds });
    await noteCall(transaction, 'calendar_link_created', { caller });
    await actForCaller(tables, userId);
    // Sessions end before links are removed, so a new link does not outlive a new password or a recovery.
    if ((await openSession(tables, { userId, sessionId }, { isKept: true })) === undefined) reject(noSession);
    return { id, url: `${this.config.baseUrl}/${CALENDAR_PATH}/${secret}${CALENDAR_FILE}` };
  }
}

async function requireMember(...of: Parameters<typeof standingIn>): Promise<void> {
  if ((await standingIn(...of)) === undefined) reject(notMember);
}

const tooMany: Problem = problemFor('PM018', {
  message: `a member can have ${MAX_LINKS} calendar links in a practice`,
  hint: 'Revoke one of rpc/calendar_links with rpc/revoke_calendar_link.',
});

const notPermitted: Problem = {
  status: 403,
  code: '42501',
  message: 'permission denied for function create_calendar_link',
  details: 'The role in the practice has changed.',
};

const noSession: Problem = { status: 403, code: '42501', message: 'the session has ended' };

/** The links of the caller, or for an owner all links of the practice, the newest first. */
@Handles(calendarLinks)
export class ListCalendarLinks implements FunctionHandler<typeof calendarLinks> {
  constructor(private readonly transactions: Transactions) {}

  async call(_: object, { caller: { therapistId, userId, practiceRole } }: FunctionCall) {
    const where = { therapistId, ...(practiceRole !== 'owner' && { userId }) };
    const links = await this.transactions.run({ therapistId }, (tables) =>
      tables.find(CalendarLink, { where, order: { createdAt: 'DESC', id: 'ASC' } }),
    );
    return links.map((link) => ({
      id: link.id,
      user_id: link.userId,
      full: link.isFull,
      practitioner_id: link.practitionerId,
      created_at: instant(link.createdAt.getTime()),
      last_used_at: link.lastUsedAt && instant(link.lastUsedAt.getTime()),
      last_used_address: link.lastUsedAddress,
    }));
  }
}

@Handles(revokeCalendarLink)
export class RevokeCalendarLink implements FunctionHandler<typeof revokeCalendarLink> {
  /** @throws {Rejection} PM404 when the caller, or for an owner the practice, does not have the link */
  async call({ id }: ArgumentsOf<typeof revokeCalendarLink>, { caller, transaction }: WritingCall) {
    const { therapistId, practiceRole, userId } = caller;
    const tables = tablesOn(transaction.client);
    const key = { therapistId, id, ...(practiceRole !== 'owner' && { userId }) };
    // The transaction holds the lock of the practice, so no other call removes it meanwhile.
    const link = (await tables.findOneBy(CalendarLink, key)) ?? reject(noSuchLink);
    await tables.delete(CalendarLink, key);
    await noteCall(transaction, 'calendar_link_revoked', { caller, userId: link.userId });
  }
}

const noSuchLink = problemFor('PM404', {
  message: 'The calendar link does not exist, or belongs to another member',
});
