// Calendar links that a gateway presents for their holders.

import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  CALENDAR_FILE,
  CALENDAR_PATH,
  calendarLinks,
  calendarRoles,
  createCalendarLink,
  revokeCalendarLink,
} from '@practice/contracts';
import type { CalendarLinkEnvelope, KnownCalendarLink } from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import { type ArgumentsOf, instant } from '@practice/resource';
import { type FunctionCall, type FunctionHandler, Handles, type WritingCall } from '@practice/write';
import { Raw } from 'typeorm';
import { IDENTITY_CONFIG, type IdentityConfig } from '../identity.config.js';
import { openSession } from '../sessions/proven.js';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { nowInMilliseconds, tablesOn } from '../store/database.js';
import { CalendarLink } from '../store/practice.entities.js';
import { randomToken, tokenHash } from '../store/secrets.js';
import { noteCall } from '../store/security-events.js';
import { actForCaller, Transactions } from '../store/transactions.js';
import { notMember, type Standing, standingIn } from '../users/access.js';
import { canPassSecondFactor } from '../users/users.js';

/** Whether a person with this standing may use calendar links. */
const canHaveCalendar = (standing: Standing | undefined): standing is Standing =>
  standing !== undefined && !standing.isHeld && calendarRoles.some((role) => role === standing.role);

/** The condition that no use of a link was recorded in the last 5 minutes. Otherwise a new use is not recorded. */
const isOldUse = Raw((column) => `(${column} IS NULL OR ${column} < now() - interval '5 minutes')`);

@Injectable()
export class PresentedCalendarLinks {
  constructor(private readonly transactions: Transactions) {}

  /**
   * The link with this hash, with the role that its maker has now. Records its use. Null when the link does not exist or the maker has
   * no access: no longer a member, with another role, or without the second factor that the practice requires.
   */
  async present({ hash, address }: CalendarLinkEnvelope): Promise<KnownCalendarLink | null> {
    const link = await this.transactions.run({ presented: hash }, (tables) =>
      tables.findOneBy(CalendarLink, { secretHash: hash }),
    );
    if (link === null) return null;
    const { id, therapistId, userId, isFull: full, practitionerId } = link;
    return this.transactions.run({ therapistId }, async (tables) => {
      const standing = await standingIn(tables, link);
      if (!canHaveCalendar(standing)) return null;
      if (standing.requiresMfa) {
        await actForCaller(tables, userId);
        if (!(await canPassSecondFactor(tables, userId))) return null;
      }
      const use = { lastUsedAt: nowInMilliseconds, lastUsedAddress: address };
      await tables.update(CalendarLink, { therapistId, id, lastUsedAt: isOldUse }, use);
      return { id, therapistId, userId, full, practitionerId, practiceRole: standing.role };
    });
  }
}

/** The maximum number of links of a member in a practice. */
const MAX_LINKS = 20;

/** Creates a calendar link. The practice is locked, so a simultaneous removal of the member either comes first or ends the link. */
@Handles(createCalendarLink)
export class CreateCalendarLink implements FunctionHandler<typeof createCalendarLink> {
  constructor(
    private readonly recent: RecentSignIn,
    @Inject(IDENTITY_CONFIG) private readonly config: Pick<IdentityConfig, 'baseUrl'>,
  ) {}

  /** @throws {Rejection} PM404 if the practitioner is no member, PM018 after 20 links, 42501 without the role, or if the sign-in is not recent */
  async call(given: ArgumentsOf<typeof createCalendarLink>, call: WritingCall) {
    const { full, practitioner_id: practitionerId, ...proof } = given;
    const { caller, transaction } = call;
    const tables = tablesOn(transaction.client);
    const { therapistId, userId, sessionId = '', address = '' } = caller;
    if (!canHaveCalendar(await standingIn(tables, caller))) reject(notPermitted);
    if (practitionerId !== null) await requireMember(tables, { therapistId, userId: practitionerId });
    if ((await tables.countBy(CalendarLink, { therapistId, userId })) >= MAX_LINKS) reject(tooMany);
    // After the other checks: a nonce can be used once.
    await this.recent.require({ identity: caller, address }, proof);
    const secret = randomToken();
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

const tooMany = problemFor('PM018', {
  message: `a member can have ${MAX_LINKS} calendar links in a practice`,
  hint: 'Revoke one of rpc/calendar_links with rpc/revoke_calendar_link.',
});

const notPermitted = problemFor('42501', {
  message: 'permission denied for function create_calendar_link',
  details: 'The role in the practice has changed.',
});

const noSession = problemFor('42501', { message: 'the session has ended' });

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
  /** @throws {Rejection} PM404 when the link does not exist in the practice, or belongs to another member and the caller is no owner */
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
