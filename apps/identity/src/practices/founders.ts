import { randomUUID } from 'node:crypto';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { memberships, practices } from '@practice/contracts';
import { newId } from '@practice/core';
import { newRecord } from '@practice/resource';
import { type RecordTransaction, RecordTransactions } from '@practice/write';
import type { EntityManager } from 'typeorm';
import { problems, refuse } from '../calls/problems.js';
import { GivePractice } from '../sessions/session-issue.js';
import { tablesOn } from '../store/database.js';
import { Access } from '../store/practice.entities.js';
import { Transactions } from '../store/transactions.js';
import { accessOf, type Standing } from '../users/access.js';
import { nameIn, type User, userById } from '../users/users.js';
import { founding } from './membership.js';

/** Opens the practices that a sign-up does not open: for people who have left all practices. */
@CommandHandler(GivePractice)
export class Founders implements ICommandHandler<GivePractice> {
  constructor(
    private readonly records: RecordTransactions,
    private readonly transactions: Transactions,
  ) {}

  /** Opens a practice for a user who is not a member of any. Returns the user's standing in a practice. */
  async execute({ userId }: GivePractice): Promise<Standing> {
    const user = await this.transactions.run({ userId }, (tables) => userById(tables, userId));
    const known = await this.transactions.run({ userId }, async (tables) => ({
      access: await accessOf(tables, userId, null),
      hasLeft: await hasAccessRow(tables, userId),
    }));
    if (known.access !== undefined) return known.access;
    // The practice that the user opened first belongs to others now.
    const therapistId = known.hasLeft ? newId() : userId;
    await this.open(therapistId, user ?? refuse(problems.userGone));
    return { therapistId, role: 'owner', requiresMfa: false, isHeld: false };
  }

  private async open(therapistId: string, user: User): Promise<void> {
    await this.records.run({ therapistId, requestId: randomUUID() }, async (transaction) => {
      // Checked under the lock of the practice: another process may have opened it meanwhile.
      if (await hasAccessRow(tablesOn(transaction.client), user.id, therapistId)) return;
      await found(transaction, therapistId, user);
    });
  }
}

/** Creates a practice and the membership of the person who opens it. */
export async function found(
  transaction: RecordTransaction,
  therapistId: string,
  { id: userId, email, metadata }: Pick<User, 'id' | 'email' | 'metadata'>,
): Promise<void> {
  const { now } = transaction;
  const practice = newRecord(practices, { email }, { therapistId, now, id: () => therapistId });
  await transaction.create(practices, practice);
  const own = { email, user_id: userId, role: 'owner', status: 'active', joined_at: now };
  const values = { ...own, display_name: nameIn(metadata) };
  const record = newRecord(memberships, values, { therapistId, now, id: newId });
  await transaction.createBy(founding, record);
}

export const hasAccessRow = (tables: EntityManager, userId: string, therapistId = userId): Promise<boolean> =>
  tables.existsBy(Access, { userId, therapistId });
