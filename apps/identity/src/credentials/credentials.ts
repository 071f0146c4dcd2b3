// The credential of a user: the address, unique among all practices, and the hash of the password.

import type { ClientBase } from 'pg';

export interface Credential {
  readonly therapistId: string;
  readonly email: string;
  readonly passwordHash: string;
}

/** The credential of an address that the transaction's caller has presented. */
export async function credentialByEmail(client: ClientBase, email: string): Promise<Credential | undefined> {
  const { rows } = await client.query<Credential>(
    `SELECT therapist_id AS "therapistId", email, password_hash AS "passwordHash"
     FROM identity.credentials WHERE email = $1`,
    [email],
  );
  return rows[0];
}

/** The functions below change the credential of the practice that the transaction acts for. */
export async function insertCredential(client: ClientBase, credential: Credential, at: Date): Promise<void> {
  const { therapistId, email, passwordHash } = credential;
  await client.query(
    `INSERT INTO identity.credentials (therapist_id, email, password_hash, last_sign_in_at) VALUES ($1, $2, $3, $4)`,
    [therapistId, email, passwordHash, at],
  );
}

export async function updateCredential(client: ClientBase, credential: Credential): Promise<void> {
  const { therapistId, email, passwordHash } = credential;
  await client.query(
    'UPDATE identity.credentials SET email = $2, password_hash = $3 WHERE therapist_id = $1',
    [therapistId, email, passwordHash],
  );
}

export async function noteSignIn(client: ClientBase, therapistId: string, at: Date): Promise<void> {
  await client.query('UPDATE identity.credentials SET last_sign_in_at = $2 WHERE therapist_id = $1', [
    therapistId,
    at,
  ]);
}

export async function noteRecovery(client: ClientBase, therapistId: string, at: Date): Promise<void> {
  await client.query('UPDATE identity.credentials SET recovery_sent_at = $2 WHERE therapist_id = $1', [
    therapistId,
    at,
  ]);
}
