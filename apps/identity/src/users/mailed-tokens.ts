// One-time secrets that are sent by mail: each is for one purpose, and expires.

import { randomInt } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { AddressChange, MailedToken } from '../store/account.entities.js';
import { inPast, inFuture, rowsOf } from '../store/database.js';
import { tokenHash } from '../store/secrets.js';

export type Purpose = MailedToken['purpose'];

/** A token that has just been used. */
export interface UsedToken {
  readonly userId: string;
  /** The code challenge to answer, if there is one. */
  readonly challenge: string | null;
}

const LIFETIMES: Readonly<Record<Purpose, string>> = {
  recovery: '1 hour',
  reauthentication: '10 minutes',
  code: '5 minutes',
};

/** Short, because it is typed by hand, by a user who is signed in. */
export const nonce = (): string => String(randomInt(1_000_000)).padStart(6, '0');

/** A nonce works for its own account only. */
export const nonceHash = (userId: string, given: string): string => tokenHash(`${userId} ${given}`);

/** Stores the hash of a token of the user that the transaction acts for, and deletes its expired ones. */
export async function keepToken(
  tables: EntityManager,
  userId: string,
  {
    hash,
    purpose,
    challenge = null,
  }: { readonly hash: string; readonly purpose: Purpose; readonly challenge?: string | null },
): Promise<void> {
  await tables.delete(MailedToken, { userId, expiresAt: inPast });
  const expiresAt = (): string => `now() + interval '${LIFETIMES[purpose]}'`;
  await tables
    .createQueryBuilder()
    .insert()
    .into(MailedToken)
    .values({ userId, tokenHash: hash, purpose, expiresAt, codeChallenge: challenge })
    .orIgnore()
    .execute();
}

/** Uses a token up. Returns undefined when it does not exist or has expired. */
export async function useToken(
  tables: EntityManager,
  hash: string,
  purpose: Purpose,
): Promise<UsedToken | undefined> {
  const used = tables
    .createQueryBuilder()
    .delete()
    .from(MailedToken)
    .where({ tokenHash: hash, purpose, expiresAt: inFuture })
    .returning('user_id AS "userId", code_challenge AS challenge');
  return (await rowsOf<UsedToken>(used))[0];
}

/** Deletes all tokens that were mailed to the account, also the ones for a new address. */
export async function voidTokens(tables: EntityManager, userId: string): Promise<void> {
  await tables.delete(AddressChange, { userId });
  await tables.delete(MailedToken, { userId });
}
