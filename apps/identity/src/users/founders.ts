import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { memberships, practices } from '@practice/contracts';
import { newId } from '@practice/core';
import { newRecord } from '@practice/resource';
import { type RecordTransaction, RecordTransactions } from '@practice/write';
import { problems, refuse } from '../calls/problems.js';
import { tablesOn } from '../store/database.js';
import { Access } from '../store/practice.entities.js';
import { actForCaller } from '../store/transactions.js';
import { accessOf, type Standing } from './access.js';
import { founding } from './user.js';
import { nameIn, type User, userById } from './users.js';

/** Opens a practice for a user who has left all practices and signs in. */
@Injectable()
export class Founders {
  constructor(private readonly records: RecordTransactions) {}

  /** Opens a practice for a user who is not a member of any. Returns the user's standing in a practice. */
  givePractice(userId: string): Promise<Standing> {
    return this.records.run({ therapistId: userId, requestId: randomUUID() }, async (home) => {
      const tables = tablesOn(home.client);
      await actForCaller(tables, userId);
      // Checked under the lock: another sign-in may have opened a practice meanwhile.
      const access = await accessOf(tables, userId, null);
      if (access !== undefined) return access;
      const user = (await userById(tables, userId)) ?? refuse(problems.userGone);
      const therapistId = await openFor(home, user);
      return { therapistId, role: 'owner', requiresMfa: false, isHeld: false };
    });
  }
}

type Founder = Pick<User, 'id' | 'email' | 'metadata'>;

/**
 * Opens a practice for a user who has an account: with the user's own id, or with a new id if the user has opened that one before.
 * @param home has locked the practice with the user's own id, so that two simultaneous calls open only one practice
 * @returns the id of the practice
 */
export async function openFor(home: RecordTransaction, user: Founder): Promise<string> {
  const { id } = user;
  const hasOpened = await tablesOn(home.client).existsBy(Access, { userId: id, therapistId: id });
  const therapistId = hasOpened ? newId() : id;
  const open = (there: RecordTransaction): Promise<void> => found(there, therapistId, user);
  await (hasOpened ? home.withinNew(therapistId, open) : open(home));
  return therapistId;
}

/** Creates a practice and the membership of the person who opens it. */
export async function found(
  transaction: RecordTransaction,
  therapistId: string,
  { id: userId, email, metadata }: Founder,
): Promise<void> {
  const { now } = transaction;
  const practice = newRecord(practices, { email }, { therapistId, now, id: () => therapistId });
  await transaction.create(practices, practice);
  const own = { email, user_id: userId, role: 'owner', status: 'active', joined_at: now };
  const values = { ...own, display_name: nameIn(metadata) };
  const record = newRecord(memberships, values, { therapistId, now, id: newId });
  await transaction.createBy(founding, record);
}
