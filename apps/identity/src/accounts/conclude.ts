// The result of the answer to a mail, once its token was found right.

import type { ClientBase } from 'pg';
import type { AccountCall } from '../calls/call.js';
import type { Granted } from '../sessions/session-issue.js';
import { tokenHash } from '../sessions/sessions.js';
import { keepToken, randomToken } from '../users/mailed-tokens.js';

/** A mailed token as a caller presents it. */
export interface PresentedToken extends Pick<AccountCall, 'address' | 'trace'> {
  readonly token: string;
  /** Whether it was opened as a link, rather than sent by the app. */
  readonly isLink: boolean;
}

/** A session, or a code that only the client that asked for the mail can exchange for one. */
export type Concluded = Granted | { readonly code: string };

interface Answered {
  readonly userId: string;
  /** The code challenge of the client that asked for the mail, if it sent one. */
  readonly challenge: string | null;
  readonly isLink: boolean;
}

/**
 * A session; if the mail was requested with a code challenge and its link was opened, a code instead, since others may see
 * where a link leads. The transaction acts for the user.
 */
export async function conclude(
  client: ClientBase,
  { userId, challenge, isLink }: Answered,
  grant: () => Promise<Granted>,
): Promise<Concluded> {
  if (challenge === null || !isLink) return grant();
  const code = randomToken();
  await keepToken(client, userId, { hash: tokenHash(code), purpose: 'code', challenge });
  return { code };
}
