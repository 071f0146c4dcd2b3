// The user of a practice as its sign-in and its own calls see it. One user is one practice: their ids are the same.

import type { ClientBase } from 'pg';

export interface User {
  readonly id: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly metadata: object;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly lastSignInAt: Date;
  readonly recoverySentAt: Date | null;
}

/** The user of the practice that the transaction acts for. */
export async function userById(client: ClientBase, id: string): Promise<User | undefined> {
  const { rows } = await client.query<User>(
    `SELECT u.id, u.email, c.password_hash AS "passwordHash", u.metadata, u.created_at AS "createdAt",
       greatest(u.updated_at, c.last_sign_in_at) AS "updatedAt", c.last_sign_in_at AS "lastSignInAt",
       c.recovery_sent_at AS "recoverySentAt"
     FROM identity.users u JOIN identity.credentials c ON c.therapist_id = u.therapist_id
     WHERE u.therapist_id = $1 AND u.id = $1`,
    [id],
  );
  return rows[0];
}

/** The user as Supabase's clients read it. It holds nothing that must be hidden from its owner. */
export function publicUser(user: User): object {
  const [createdAt, updatedAt, lastSignInAt] = [user.createdAt, user.updatedAt, user.lastSignInAt].map((at) =>
    at.toISOString(),
  );
  const times = { last_sign_in_at: lastSignInAt, created_at: createdAt, updated_at: updatedAt };
  return {
    id: user.id,
    aud: 'authenticated',
    role: 'authenticated',
    email: user.email,
    email_confirmed_at: createdAt,
    phone: '',
    confirmed_at: createdAt,
    ...(user.recoverySentAt === null ? {} : { recovery_sent_at: user.recoverySentAt.toISOString() }),
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: user.metadata,
    identities: [
      {
        identity_id: user.id,
        id: user.id,
        user_id: user.id,
        identity_data: { email: user.email, email_verified: false, phone_verified: false, sub: user.id },
        provider: 'email',
        ...times,
        email: user.email,
      },
    ],
    ...times,
    is_anonymous: false,
  };
}
