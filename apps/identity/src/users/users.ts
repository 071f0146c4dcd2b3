// A user as its sign-in and its own calls see it. The user's record is in the practice that the user opened: their ids are
// the same.

import type { ClientBase } from 'pg';
import { factorsColumn } from '../factors/factors.js';
import type { Factor } from '../factors/factors.js';

export interface User {
  readonly id: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly metadata: object;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly lastSignInAt: Date;
  readonly recoverySentAt: Date | null;
  readonly factors: readonly Factor[];
  /** The practice that the user has switched to; null for the one that the user opened. */
  readonly practiceId: string | null;
  /** When the user proved to read the mails to the address. */
  readonly confirmedAt: Date | null;
  /** The address that the user wants instead, until both are confirmed. */
  readonly newEmail: string | null;
  readonly changeSentAt: Date | null;
}

/** The user that the transaction acts for. */
export async function userById(client: ClientBase, id: string): Promise<User | undefined> {
  const { rows } = await client.query<User>(
    `SELECT u.id, c.email, c.password_hash AS "passwordHash", u.metadata, u.created_at AS "createdAt",
       greatest(u.updated_at, c.last_sign_in_at) AS "updatedAt", c.last_sign_in_at AS "lastSignInAt",
       c.recovery_sent_at AS "recoverySentAt", c.therapist_id AS "practiceId", ${factorsColumn} AS factors,
       c.confirmed_at AS "confirmedAt", a.email AS "newEmail", a.sent_at AS "changeSentAt"
     FROM identity.users u JOIN identity.credentials c ON c.user_id = u.id
       LEFT JOIN identity.address_changes a ON a.user_id = u.id AND a.expires_at > now()
     WHERE u.therapist_id = $1 AND u.id = $1`,
    [id],
  );
  return rows[0];
}
