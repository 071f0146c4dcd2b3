// Ends everything that lets others act for a user: after a new password, a recovery and a global sign-out.

import type { EndedSession } from '@practice/contracts';
import type { ClientBase } from 'pg';
import { endCalendarLinks } from '../tokens/stored-calendar-links.js';
import { endArchives } from '../exports/archives.js';
import { removeTokens } from '../tokens/stored-tokens.js';
import type { SessionKey, Sessions, SignOutScope } from '../sessions/sessions.js';

/** Ended sessions and tokens, for the gateways. */
export interface EndedAccess {
  readonly sessions: readonly EndedSession[];
  /** The ids of personal access tokens. */
  readonly tokens: readonly string[];
}

/** No session has this id. */
export const NO_SESSION = '00000000-0000-0000-0000-000000000000';

/** Ends sessions, all personal access tokens, calendar links and links to archives of the user that the transaction acts for. */
export async function endAccess(
  client: ClientBase,
  sessions: Sessions,
  {
    userId,
    sessionId = NO_SESSION,
    scope,
  }: Pick<SessionKey, 'userId'> & { readonly sessionId?: string; readonly scope: SignOutScope },
): Promise<EndedAccess> {
  const ended = await sessions.end(client, { userId, sessionId }, scope);
  await endArchives(client, userId);
  await endCalendarLinks(client, userId);
  return { sessions: ended, tokens: await removeTokens(client, userId) };
}
