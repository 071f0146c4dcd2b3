// Changes of an address that wait for the responses to two mails. A user has one at most.

import { IsNull } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { AddressChange } from '../store/account.entities.js';
import { inFuture, nowInMilliseconds } from '../store/database.js';

/** The mailbox that a mail went to: of the present address, or of the new one. */
export type Side = 'old' | 'new';

export interface RequestedAddress {
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
  tables: EntityManager,
  userId: string,
  { email, hashes, challenge }: RequestedAddress,
): Promise<void> {
  await tables.delete(AddressChange, { userId });
  await tables.insert(AddressChange, {
    userId,
    email,
    oldTokenHash: hashes.old,
    newTokenHash: hashes.new,
    codeChallenge: challenge,
    sentAt: nowInMilliseconds,
    expiresAt: () => `now() + interval '24 hours'`,
  });
}

/** The change behind the hash of a token, locked until the transaction ends; undefined when the token was used or has expired. */
export async function changeByHash(tables: EntityManager, hash: string): Promise<AnsweredChange | undefined> {
  const found = await tables.findOne(AddressChange, {
    where: [
      { oldTokenHash: hash, oldConfirmedAt: IsNull(), expiresAt: inFuture },
      { newTokenHash: hash, newConfirmedAt: IsNull(), expiresAt: inFuture },
    ],
    lock: { mode: 'pessimistic_write' },
  });
  if (found === null) return undefined;
  const { userId, email, codeChallenge: challenge } = found;
  const [side, other] =
    found.oldTokenHash === hash
      ? (['old', found.newConfirmedAt] as const)
      : (['new', found.oldConfirmedAt] as const);
  return { userId, email, challenge, side, isOtherAnswered: other !== null };
}
