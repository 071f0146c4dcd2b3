// Ends everything that lets others act for a user: after a new password, a recovery and a global sign-out.

import type { EntityManager } from 'typeorm';
import { endArchives } from '../exports/archives.js';
import type { EndedAccess } from '../notices/announcements.js';
import { NO_SESSION } from '../sessions/sessions.js';
import type { Sessions, SignOutScope } from '../sessions/sessions.js';
import { rowsOf } from '../store/database.js';
import { CalendarLink } from '../store/practice.entities.js';
import { PersonalToken } from '../store/session.entities.js';

/** Ends sessions, all personal access tokens, calendar links and links to archives of the user that the transaction acts for. */
export async function endAccess(
  tables: EntityManager,
  sessions: Sessions,
  {
    userId,
    sessionId = NO_SESSION,
    scope,
  }: { readonly userId: string; readonly sessionId?: string; readonly scope: SignOutScope },
): Promise<EndedAccess> {
  const ended = await sessions.end(tables, { userId, sessionId }, scope);
  await endArchives(tables, { userId });
  await tables.delete(CalendarLink, { userId });
  const removed = tables.createQueryBuilder().delete().from(PersonalToken).where({ userId }).returning('id');
  const tokens = await rowsOf<Pick<PersonalToken, 'id'>>(removed);
  return { sessions: ended, tokens: tokens.map(({ id }) => id) };
}
