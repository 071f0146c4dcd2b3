// Break-glass access of sessions: the state that gateways need. Its record is a security event.

import type { GlassBroken } from '@practice/contracts';
import type { Statement } from '@practice/log';
import { type EntityManager, IsNull } from 'typeorm';
import { deletionOf, inserting, rowsOf } from '../store/database.js';
import { USER_SETTING } from '../store/policies.js';
import { BreakGlassAccess, Session } from '../store/session.entities.js';
import { setting } from '../store/transactions.js';
import type { Member } from '../users/access.js';

/**
 * Gives break-glass access to an open session of the user that the transaction acts for, in place of an earlier access.
 * @returns undefined when the session has ended or acts in another practice
 */
export async function breakGlassIn(
  tables: EntityManager,
  access: Omit<GlassBroken, 'until'>,
): Promise<GlassBroken | undefined> {
  const { userId, sessionId, therapistId } = access;
  const open = await tables.findOne(Session, {
    where: { userId, id: sessionId, therapistId, endedAt: IsNull() },
    lock: { mode: 'pessimistic_read' },
  });
  if (open === null) return undefined;
  const row = { ...access, until: () => `date_trunc('milliseconds', now()) + interval '1 hour'` };
  const given = inserting(tables, BreakGlassAccess, row)
    .orUpdate(['therapist_id', 'role', 'id', 'until'], ['user_id', 'session_id'])
    .returning('until');
  const [stored] = await rowsOf<Pick<BreakGlassAccess, 'until'>>(given);
  return stored && { ...access, until: stored.until.getTime() };
}

/** Ends the break-glass accesses of a person in a practice. Private rows are visible only to a transaction of their user. */
export const endBreakGlass = ({ userId, therapistId }: Member): Statement[] => [
  setting({ [USER_SETTING]: userId }),
  deletionOf(BreakGlassAccess, { userId, therapistId }),
];
