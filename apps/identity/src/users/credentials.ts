// The credential of a user: the address, unique among all users, and the hash of the password.

import type { ClientBase } from 'pg';

export interface Credential {
  readonly userId: string;
  readonly email: string;
  readonly passwordHash: string;
}

/** The credential of an address that the transaction's caller has presented. */
export async function credentialByEmail(client: ClientBase, email: string): Promise<Credential | undefined> {
  const { rows } = await client.query<Credential>(
    `SELECT user_id AS "userId", email, password_hash AS "passwordHash"
     FROM identity.credentials WHERE email = $1`,
    [email],
  );
  return rows[0];
}

/** The address of the user that the transaction acts for. */
export async function addressOf(client: ClientBase, userId: string): Promise<string | undefined> {
  const { rows } = await client.query<{ email: string }>(
    'SELECT email FROM identity.credentials WHERE user_id = $1',
    [userId],
  );
  return rows[0]?.email;
}

/** The functions below change the credential of the user that the transaction acts for. */
export async function insertCredential(
  client: ClientBase,
  { userId, email, passwordHash }: Credential,
  { at, isConfirmed }: { readonly at: Date; readonly isConfirmed: boolean },
): Promise<void> {
  await client.query(
    `INSERT INTO identity.credentials (user_id, email, password_hash, last_sign_in_at, confirmed_at)
     VALUES ($1, $2, $3, $4, CASE WHEN $5 THEN $4::timestamptz END)`,
    [userId, email, passwordHash, at, isConfirmed],
  );
}

export async function replaceAddress(client: ClientBase, userId: string, email: string): Promise<void> {
  await client.query('UPDATE identity.credentials SET email = $2 WHERE user_id = $1', [userId, email]);
}

export async function replacePassword(client: ClientBase, userId: string, hash: string): Promise<void> {
  await client.query('UPDATE identity.credentials SET password_hash = $2 WHERE user_id = $1', [userId, hash]);
}

/** Replaces the hash of an unchanged password, unless the password has been changed meanwhile. */
export async function renewHash(
  client: ClientBase,
  userId: string,
  { before, after }: { readonly before: string; readonly after: string },
): Promise<void> {
  await client.query(
    'UPDATE identity.credentials SET password_hash = $3 WHERE user_id = $1 AND password_hash = $2',
    [userId, before, after],
  );
}

/** Records that the user reads the mails to the address. Returns whether it was not known before. */
export async function noteConfirmed(client: ClientBase, userId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE identity.credentials SET confirmed_at = date_trunc('milliseconds', now())
     WHERE user_id = $1 AND confirmed_at IS NULL`,
    [userId],
  );
  return rowCount === 1;
}

export async function noteSignIn(client: ClientBase, userId: string, at: Date): Promise<void> {
  await client.query('UPDATE identity.credentials SET last_sign_in_at = $2 WHERE user_id = $1', [userId, at]);
}

export async function noteRecovery(client: ClientBase, userId: string, at: Date): Promise<void> {
  await client.query('UPDATE identity.credentials SET recovery_sent_at = $2 WHERE user_id = $1', [
    userId,
    at,
  ]);
}

/** Deletes the account of the user that the transaction acts for: credentials, sessions, tokens, second factors. */
export async function deleteAccount(client: ClientBase, userId: string): Promise<void> {
  await client.query('DELETE FROM identity.credentials WHERE user_id = $1', [userId]);
}
