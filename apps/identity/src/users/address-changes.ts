// Changes of an address that wait for the answers to two mails, in the database. A user has one at most.

import type { ClientBase } from 'pg';

/** The mailbox that a mail went to: of the present address, or of the new one. */
export type Side = 'old' | 'new';

export interface AddressChange {
  readonly email: string;
  /** The hashes of the mailed tokens. */
  readonly hashes: Readonly<Record<Side, string>>;
  /** The code challenge to answer, if there is one. */
  readonly challenge: string | null;
}

/** A change whose token a caller has presented. */
export interface AnsweredChange {
  readonly userId: string;
  readonly email: string;
  readonly challenge: string | null;
  readonly side: Side;
  /** Whether the other mail has been answered. */
  readonly isOtherAnswered: boolean;
}

/** Makes this the only change of the user that the transaction acts for. */
export async function keepChange(
  client: ClientBase,
  userId: string,
  { email, hashes, challenge }: AddressChange,
): Promise<void> {
  await dropChange(client, userId);
  await client.query(
    `INSERT INTO identity.address_changes
       (user_id, email, old_token_hash, new_token_hash, code_challenge, sent_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, date_trunc('milliseconds', now()), now() + interval '24 hours')`,
    [userId, email, hashes.old, hashes.new, challenge],
  );
}

/** The change that the user of the transaction has asked for. */
export async function openChange(
  client: ClientBase,
  userId: string,
): Promise<Pick<AddressChange, 'email' | 'challenge'> | undefined> {
  const { rows } = await client.query<Pick<AddressChange, 'email' | 'challenge'>>(
    `SELECT email, code_challenge AS challenge FROM identity.address_changes
     WHERE user_id = $1 AND expires_at > now()`,
    [userId],
  );
  return rows[0];
}

/** The change behind the hash of a token, locked until the transaction ends; undefined when the token was used or has expired. */
export async function changeByHash(client: ClientBase, hash: string): Promise<AnsweredChange | undefined> {
  const { rows } = await client.query<AnsweredChange>(
    `SELECT user_id AS "userId", email, code_challenge AS challenge,
       CASE WHEN old_token_hash = $1 THEN 'old' ELSE 'new' END AS side,
       CASE WHEN old_token_hash = $1 THEN new_confirmed_at ELSE old_confirmed_at END IS NOT NULL AS "isOtherAnswered"
     FROM identity.address_changes
     WHERE expires_at > now() AND (old_token_hash = $1 AND old_confirmed_at IS NULL
       OR new_token_hash = $1 AND new_confirmed_at IS NULL) FOR UPDATE`,
    [hash],
  );
  return rows[0];
}

/** Records that a mail was answered; its token is used up. */
export async function noteAnswer(client: ClientBase, userId: string, side: Side): Promise<void> {
  await client.query(`UPDATE identity.address_changes SET ${side}_confirmed_at = now() WHERE user_id = $1`, [
    userId,
  ]);
}

export async function dropChange(client: ClientBase, userId: string): Promise<void> {
  await client.query('DELETE FROM identity.address_changes WHERE user_id = $1', [userId]);
}
