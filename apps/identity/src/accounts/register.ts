import { users } from '@practice/contracts';
import { newRecord } from '@practice/resource';
import type { RecordTransaction } from '@practice/write';
import { Credential } from '../store/account.entities.js';
import { standingIn } from '../users/access.js';
import { found } from '../practices/founders.js';
import type { SignInMethod } from '../sessions/proven.js';
import type { Granted } from '../sessions/session-issue.js';
import type { Sessions } from '../sessions/sessions.js';
import { actForUser } from '../store/transactions.js';
import type { User } from '../users/users.js';
import { tablesOn } from '../store/database.js';

export interface NewUser {
  readonly id: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly metadata: object;
  /** Whether the user has proven to read the mails to the address. */
  readonly isConfirmed: boolean;
}

/** A new user has no second factor, has switched to no practice and waits for no mail. */
const NEW = { factors: [], practiceId: null, recoverySentAt: null, newEmail: null, changeSentAt: null };

/**
 * Makes a user, a practice and an owner's membership. From here on the transaction acts for the user.
 * @param options.isInvited makes no practice: the user joins the one of the invitation
 */
export async function register(
  transaction: RecordTransaction,
  { isConfirmed, ...given }: NewUser,
  { isInvited = false } = {},
): Promise<User> {
  const { id, email, metadata, passwordHash } = given;
  const { now } = transaction;
  const tables = tablesOn(transaction.client);
  const at = new Date(now);
  const values = { email, metadata, password_changed_at: now };
  if (!isInvited) await found(transaction, { therapistId: id, user: given });
  await transaction.create(users, newRecord(users, values, { therapistId: id, id: () => id, now }));
  await actForUser(tables, id);
  const seen = { lastSignInAt: at, confirmedAt: isConfirmed ? at : null };
  await tables.insert(Credential, { userId: id, email, passwordHash, ...seen });
  const times = { createdAt: at, updatedAt: at, ...seen };
  return { id, email, metadata, passwordHash, ...times, ...NEW };
}

interface FirstSignIn {
  readonly user: User;
  readonly address: string;
  readonly method: SignInMethod;
  /** The practice of an invited user; the own one if it is not given. */
  readonly therapistId?: string;
}

/** Opens the first session of a user who has just been registered in the transaction. */
export async function firstSession(
  { client }: Pick<RecordTransaction, 'client'>,
  sessions: Sessions,
  { user, therapistId = user.id, ...signIn }: FirstSignIn,
): Promise<Granted> {
  const tables = tablesOn(client);
  const home = { userId: user.id, therapistId };
  const session = await sessions.open(tables, home, { at: user.createdAt, ...signIn });
  const standing = therapistId === user.id ? undefined : await standingIn(tables, home);
  return { user, session, role: 'owner', ...standing };
}
