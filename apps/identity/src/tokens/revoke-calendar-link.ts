import { revokeCalendarLink } from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import type { ArgumentsOf } from '@practice/resource';
import { Handles } from '@practice/write';
import type { FunctionHandler, WritingCall } from '@practice/write';
import { noteCall } from '../store/security-events.js';
import { removeCalendarLink } from './stored-calendar-links.js';

@Handles(revokeCalendarLink)
export class RevokeCalendarLink implements FunctionHandler<typeof revokeCalendarLink> {
  /** @throws {Rejection} PM404 when the caller, or for an owner the practice, does not have the link */
  async call({ id }: ArgumentsOf<typeof revokeCalendarLink>, { caller, transaction }: WritingCall) {
    const { therapistId, practiceRole } = caller;
    const userId = practiceRole === 'owner' ? null : caller.userId;
    const maker = await removeCalendarLink(transaction.client, { therapistId, id, userId });
    await noteCall(transaction, 'calendar_link_revoked', { caller, userId: maker ?? reject(noSuchLink) });
  }
}

const noSuchLink = problemFor('PM404', {
  message: 'The calendar link does not exist, or belongs to another member',
});
