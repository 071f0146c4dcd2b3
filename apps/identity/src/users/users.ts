// A user as its sign-in and its own calls see it. The user's record is in the practice that the user opened: their ids are
// the same.

import { IsNull, Not } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { AddressChange, Credential } from '../store/account.entities.js';
import { nowInMilliseconds, prepared } from '../store/database.js';
import { UserRecord } from '../store/record.entities.js';
import { Factor } from '../store/session.entities.js';

export interface User {
  readonly id: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly metadata: object;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly lastSignInAt: Date;
  readonly recoverySentAt: Date | null;
  readonly factors: readonly ShownFactor[];
  /** The practice that the user has switched to; null for the one that the user opened. */
  readonly practiceId: string | null;
  /** When the user proved to read the mails to the address. */
  readonly confirmedAt: Date | null;
  /** The address that the user wants instead, until both are confirmed. */
  readonly newEmail: string | null;
  readonly changeSentAt: Date | null;
}

/** A second factor as its user sees it. */
export interface ShownFactor {
  readonly id: string;
  readonly friendly_name: string;
  readonly factor_type: 'totp';
  readonly status: 'verified' | 'unverified';
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly last_challenged_at?: Date;
}

type Selected = Omit<User, 'factors'> & {
  readonly factorId: string | null;
  readonly name: string;
  readonly verifiedAt: Date | null;
  readonly addedAt: Date;
  readonly factorUpdatedAt: Date;
  readonly lastChallengedAt: Date | null;
};

/** A row for each factor; one without them for a user who has none. */
const selectUser = prepared<'id', Selected>(['id'], (tables) =>
  tables
    .createQueryBuilder(Credential, 'c')
    .innerJoin(UserRecord, 'u', 'u.therapistId = c.userId AND u.id = c.userId')
    .leftJoin(AddressChange, 'a', 'a.userId = c.userId AND a.expiresAt > now()')
    .leftJoin(Factor, 'f', 'f.userId = c.userId')
    .select('u.id', 'id')
    .addSelect('c.email', 'email')
    .addSelect('c.passwordHash', 'passwordHash')
    .addSelect('u.metadata', 'metadata')
    .addSelect('u.createdAt', 'createdAt')
    .addSelect('greatest(u.updatedAt, c.lastSignInAt)', 'updatedAt')
    .addSelect('c.lastSignInAt', 'lastSignInAt')
    .addSelect('c.recoverySentAt', 'recoverySentAt')
    .addSelect('c.therapistId', 'practiceId')
    .addSelect('c.confirmedAt', 'confirmedAt')
    .addSelect('a.email', 'newEmail')
    .addSelect('a.sentAt', 'changeSentAt')
    .addSelect('f.id', 'factorId')
    .addSelect('f.friendlyName', 'name')
    .addSelect('f.verifiedAt', 'verifiedAt')
    .addSelect('f.createdAt', 'addedAt')
    .addSelect('f.updatedAt', 'factorUpdatedAt')
    .addSelect('f.lastChallengedAt', 'lastChallengedAt')
    .where('c.userId = :id')
    .orderBy('f.createdAt')
    .addOrderBy('f.id'),
);

/** The user that the transaction acts for. */
export async function userById(tables: EntityManager, id: string): Promise<User | undefined> {
  const rows = await selectUser(tables, { id });
  const [first] = rows;
  if (first === undefined) return undefined;
  return { ...first, factors: first.factorId === null ? [] : rows.map(shownFactor) };
}

const shownFactor = (row: Selected): ShownFactor => ({
  id: row.factorId ?? '',
  friendly_name: row.name,
  factor_type: 'totp',
  status: row.verifiedAt === null ? 'unverified' : 'verified',
  created_at: row.addedAt,
  updated_at: row.factorUpdatedAt,
  ...(row.lastChallengedAt && { last_challenged_at: row.lastChallengedAt }),
});

/** Whether the user has passed an enrollment, so a password no longer suffices. */
export const hasSecondFactor = (factors: readonly ShownFactor[]): boolean =>
  factors.some(({ status }) => status === 'verified');

/** The same for the user that the transaction acts for. */
export const isEnrolled = (tables: EntityManager, userId: string): Promise<boolean> =>
  tables.existsBy(Factor, { userId, verifiedAt: Not(IsNull()) });

/** The address of the user that the transaction acts for. */
export async function addressOf(tables: EntityManager, userId: string): Promise<string | undefined> {
  return (await tables.findOneBy(Credential, { userId }))?.email;
}

/** Records that the user reads the mails to the address. Returns whether it was not known before. */
export async function noteConfirmed(tables: EntityManager, userId: string): Promise<boolean> {
  const unconfirmed = { userId, confirmedAt: IsNull() };
  return (await tables.update(Credential, unconfirmed, { confirmedAt: nowInMilliseconds })).affected === 1;
}
