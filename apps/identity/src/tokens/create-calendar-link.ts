import { randomBytes } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { CALENDAR_FILE, CALENDAR_PATH, createCalendarLink } from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import type { Problem } from '@practice/core';
import type { ArgumentsOf } from '@practice/resource';
import { Handles } from '@practice/write';
import type { FunctionHandler, WritingCall } from '@practice/write';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { IDENTITY_CONFIG } from '../identity.config.js';
import type { IdentityConfig } from '../identity.config.js';
import { standingIn } from '../users/access.js';
import { notMember } from '../practices/problems.js';
import { noteCall } from '../store/security-events.js';
import { openSession } from '../sessions/proven.js';
import { tokenHash } from '../sessions/sessions.js';
import { actForCaller } from '../store/transactions.js';
import { canHaveCalendar } from './presented-calendar-link.js';
import { insertCalendarLink, MAX_LINKS } from './stored-calendar-links.js';

const SECRET_BYTES = 32;

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
    const { client } = transaction;
    const { therapistId, userId, sessionId = '', address = '' } = caller;
    await this.recent.require({ identity: caller, address }, proof);
    if (!canHaveCalendar(await standingIn(client, caller))) reject(notPermitted);
    if (practitionerId !== null) await requireMember(client, { therapistId, userId: practitionerId });
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const link = { therapistId, userId, hash: tokenHash(secret), full, practitionerId };
    const id = (await insertCalendarLink(client, link)) ?? reject(tooMany);
    await noteCall(transaction, 'calendar_link_created', { caller });
    await actForCaller(client, userId);
    // Sessions end before links are removed, so a new link does not outlive a new password or a recovery.
    if ((await openSession(client, { userId, sessionId }, { isKept: true })) === undefined) reject(noSession);
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
