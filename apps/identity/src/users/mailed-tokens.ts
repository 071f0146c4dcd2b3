// One-time secrets that are sent by mail: each is for one purpose, and expires.

import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { AccountCall } from '../calls/call.js';
import type { Fields } from '../calls/fields.js';
import { problems, refuse } from '../calls/problems.js';
import { AddressChange, MailedToken } from '../store/account.entities.js';
import { deleting, inFuture, inPast, inserting, rowsOf } from '../store/database.js';
import { tokenHash } from '../store/secrets.js';

type Purpose = MailedToken['purpose'];

/** A token that has just been used. */
interface UsedToken {
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

/** Stores the hash of a token of the user that the transaction acts for, and deletes the user's expired tokens. */
export async function keepToken(
  tables: EntityManager,
  userId: string,
  kept: { readonly hash: string; readonly purpose: Purpose; readonly challenge?: string | null },
): Promise<void> {
  const { hash, purpose, challenge = null } = kept;
  await tables.delete(MailedToken, { userId, expiresAt: inPast });
  const expiresAt = (): string => `now() + interval '${LIFETIMES[purpose]}'`;
  const token = { userId, tokenHash: hash, purpose, expiresAt, codeChallenge: challenge };
  await inserting(tables, MailedToken, token).orIgnore().execute();
}

/** Uses a token up. Returns undefined when it does not exist or has expired. */
export async function useToken(
  tables: EntityManager,
  hash: string,
  purpose: Purpose,
): Promise<UsedToken | undefined> {
  const used = deleting(tables, MailedToken, { tokenHash: hash, purpose, expiresAt: inFuture }).returning(
    'user_id AS "userId", code_challenge AS challenge',
  );
  return (await rowsOf<UsedToken>(used))[0];
}

/** Deletes all tokens that were mailed to the account, including tokens for a new address. */
export async function voidTokens(tables: EntityManager, userId: string): Promise<void> {
  await tables.delete(AddressChange, { userId });
  await tables.delete(MailedToken, { userId });
}

// Proof Key for Code Exchange (RFC 7636): only the client that asked for a mail can use the link in it.

const CHALLENGE = /^[A-Za-z0-9._~-]{43,128}$/;

/**
 * The challenge in a body, with the method by which it was made from the verifier (`s256:…` or `plain:…`); null when it has none.
 * @throws {Rejection} when a part of it is missing or malformed
 */
export function challengeOf(fields: Fields): string | null {
  const { code_challenge: challenge, code_challenge_method: method } = fields;
  if (!challenge && !method) return null;
  if (!challenge || typeof method !== 'string') return refuse(problems.halfChallenge);
  const name = method.toLowerCase();
  if (name !== 's256' && name !== 'plain') return refuse(problems.badChallenge);
  return typeof challenge === 'string' && CHALLENGE.test(challenge)
    ? `${name}:${challenge}`
    : refuse(problems.badChallenge);
}

/** The part of a request for a mail that its link depends on. */
export interface MailOptions {
  /** The requested target of the mail's link. */
  readonly redirectTo: string | null;
  /** The code challenge to answer, if there is one. */
  readonly challenge: string | null;
}

/** @throws {Rejection} when the code challenge is malformed */
export const mailOptionsOf = ({ fields, parameters }: AccountCall): MailOptions => ({
  redirectTo: parameters.get('redirect_to'),
  challenge: challengeOf(fields()),
});

/** Whether the challenge was made from this verifier. */
export function answersChallenge(challenge: string, verifier: string): boolean {
  const isHashed = challenge.startsWith('s256:');
  const expected = Buffer.from(challenge.slice(challenge.indexOf(':') + 1));
  const given = Buffer.from(isHashed ? createHash('sha256').update(verifier).digest('base64url') : verifier);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
