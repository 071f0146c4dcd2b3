// Accounts. A user is a practice: its id is the therapist_id of all its records.

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

const COLUMNS = `therapist_id AS id, email, password_hash AS "passwordHash", user_metadata AS metadata,
  created_at AS "createdAt", updated_at AS "updatedAt", last_sign_in_at AS "lastSignInAt",
  recovery_sent_at AS "recoverySentAt"`;

/** The account of an address that the transaction's caller has presented. */
export async function userByEmail(client: ClientBase, email: string): Promise<User | undefined> {
  const { rows } = await client.query<User>(`SELECT ${COLUMNS} FROM gateway.users WHERE email = $1`, [email]);
  return rows[0];
}

/** The account of the practice that the transaction acts for. */
export async function userById(client: ClientBase, id: string): Promise<User | undefined> {
  const { rows } = await client.query<User>(`SELECT ${COLUMNS} FROM gateway.users WHERE therapist_id = $1`, [
    id,
  ]);
  return rows[0];
}

/** The account of the practice that the transaction acts for, which nobody else changes until the transaction ends. */
export async function lockUser(client: ClientBase, id: string): Promise<User | undefined> {
  const { rows } = await client.query<User>(
    `SELECT ${COLUMNS} FROM gateway.users WHERE therapist_id = $1 FOR UPDATE`,
    [id],
  );
  return rows[0];
}

/** Stores an account as it is to be from now on. */
export async function updateUser(client: ClientBase, user: User): Promise<void> {
  await client.query(
    `UPDATE gateway.users SET email = $2, password_hash = $3, user_metadata = $4, updated_at = $5
     WHERE therapist_id = $1`,
    [user.id, user.email, user.passwordHash, JSON.stringify(user.metadata), user.updatedAt],
  );
}

export async function insertUser(client: ClientBase, user: User): Promise<void> {
  await client.query(
    `INSERT INTO gateway.users
     (therapist_id, email, password_hash, user_metadata, created_at, updated_at, last_sign_in_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      user.id,
      user.email,
      user.passwordHash,
      JSON.stringify(user.metadata),
      user.createdAt,
      user.updatedAt,
      user.lastSignInAt,
    ],
  );
}

/** Remembers a sign-in. */
export async function touchUser(client: ClientBase, id: string, now: Date): Promise<void> {
  await client.query(
    'UPDATE gateway.users SET last_sign_in_at = $2, updated_at = $2 WHERE therapist_id = $1',
    [id, now],
  );
}

/** Remembers that a recovery was sent by mail. */
export async function noteRecovery(client: ClientBase, id: string, now: Date): Promise<void> {
  await client.query('UPDATE gateway.users SET recovery_sent_at = $2 WHERE therapist_id = $1', [id, now]);
}

/** A user as the clients know one: nothing of it is secret to its owner, and the hash is not in it. */
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
