import type { EntityManager } from 'typeorm';
import { problems, refuse } from '../calls/problems.js';
import { Credential } from '../store/account.entities.js';
import { accessOf } from '../users/access.js';
import { userById } from '../users/users.js';
import type { SignInMethod } from './proven.js';
import type { Granted } from './session-issue.js';
import type { Sessions } from './sessions.js';

/** Opens a session for the user that the transaction acts for. */
export async function grant(
  tables: EntityManager,
  sessions: Sessions,
  { userId, ...signIn }: { readonly userId: string; readonly method: SignInMethod; readonly address: string },
): Promise<Granted> {
  const at = new Date();
  await tables.update(Credential, { userId }, { lastSignInAt: at });
  const user = (await userById(tables, userId)) ?? refuse(problems.userGone);
  const access = await accessOf(tables, userId, user.practiceId);
  const { therapistId, ...standing } = access ?? { therapistId: userId, role: undefined };
  const session = await sessions.open(tables, { userId, therapistId }, { at, ...signIn });
  return { user, ...standing, session };
}
