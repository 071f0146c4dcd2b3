// The result of the response to a mail, once its token was found right.

import { Command } from '@nestjs/cqrs';
import type { EntityManager } from 'typeorm';
import type { AccountCall } from '../calls/call.js';
import type { Granted } from '../sessions/session-issue.js';
import { randomToken, tokenHash } from '../store/secrets.js';
import { keepToken } from '../users/mailed-tokens.js';

/** A mailed token as a caller presents it. */
export interface PresentedToken extends Pick<AccountCall, 'address' | 'trace'> {
  readonly token: string;
  /** Whether it was opened as a link, rather than sent by the app. */
  readonly isLink: boolean;
}

/** A session, or a code that only the client that asked for the mail can exchange for one. */
export type Concluded = Granted | { readonly code: string };

/** The response to one of two mails; the other one is still open. */
export const HALF_DONE = 'half done';

/** Uses a mailed token. */
export abstract class UseMailedToken extends Command<Concluded | typeof HALF_DONE> {
  constructor(readonly presented: PresentedToken) {
    super();
  }
}

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
  tables: EntityManager,
  { userId, challenge, isLink }: Answered,
  grant: () => Promise<Granted>,
): Promise<Concluded> {
  if (challenge === null || !isLink) return grant();
  const code = randomToken();
  await keepToken(tables, userId, { hash: tokenHash(code), purpose: 'code', challenge });
  return { code };
}
