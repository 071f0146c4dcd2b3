import { randomUUID } from 'node:crypto';
import { Inject, type OnApplicationBootstrap } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { memberships, practices } from '@practice/contracts';
import { newId } from '@practice/core';
import { LOGGER, type Logger } from '@practice/process';
import { newRecord } from '@practice/resource';
import { CrossTenantConnection } from '@practice/storage';
import { type RecordTransaction, RecordTransactions } from '@practice/write';
import type { EntityManager } from 'typeorm';
import { problems, refuse } from '../calls/problems.js';
import { GivePractice } from '../sessions/session-issue.js';
import { Credential } from '../store/account.entities.js';
import { statementOf, tablesOn, unbound } from '../store/database.js';
import { Access } from '../store/practice.entities.js';
import { Transactions } from '../store/transactions.js';
import { accessOf, type Standing } from '../users/access.js';
import { nameIn, type User, userById } from '../users/users.js';
import { founding } from './membership.js';

/** Accounts in one step of the catch-up. */
const STEP = 100;

const withoutAccess = statementOf(
  unbound
    .createQueryBuilder(Credential, 'c')
    .select('c.userId')
    .where('NOT EXISTS (SELECT FROM identity.access AS a WHERE a.user_id = c.userId)')
    .limit(STEP),
);

/** Opens the practices that a sign-up does not open: for accounts from before memberships, and for people who have left all practices. */
@CommandHandler(GivePractice)
export class Founders implements ICommandHandler<GivePractice>, OnApplicationBootstrap {
  constructor(
    private readonly records: RecordTransactions,
    private readonly transactions: Transactions,
    private readonly crossTenant: CrossTenantConnection,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Gives accounts from before memberships their membership, in the background. Several processes may do so at the same time. */
  onApplicationBootstrap(): void {
    this.catchUp().catch((err: unknown) => this.logger.error({ err }, 'accounts without a membership'));
  }

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
      const isThere = await transaction.change(practices, therapistId, {});
      await found(transaction, { therapistId, user, isThere });
    });
  }

  private async catchUp(): Promise<void> {
    for (;;) {
      const rows = await this.crossTenant.run(withoutAccess);
      if (rows.length === 0) return;
      for (const [userId] of rows) await this.execute(new GivePractice(String(userId)));
      this.logger.info({ accounts: rows.length }, 'accounts were given their membership');
    }
  }
}

interface Founding {
  readonly therapistId: string;
  readonly user: Pick<User, 'id' | 'email' | 'metadata'>;
  /** Whether the record of the practice exists already. */
  readonly isThere?: boolean;
}

/** Creates a practice and the membership of the person who opens it. */
export async function found(
  transaction: RecordTransaction,
  { therapistId, user, isThere = false }: Founding,
): Promise<void> {
  const { email } = user;
  const defaults = { therapistId, now: transaction.now };
  if (!isThere)
    await transaction.create(
      practices,
      newRecord(practices, { email }, { ...defaults, id: () => therapistId }),
    );
  const own = { email, user_id: user.id, role: 'owner', status: 'active', joined_at: transaction.now };
  const record = newRecord(
    memberships,
    { ...own, display_name: nameIn(user.metadata) },
    { ...defaults, id: newId },
  );
  await transaction.createBy(founding, record);
}

export const hasAccessRow = (tables: EntityManager, userId: string, therapistId = userId): Promise<boolean> =>
  tables.existsBy(Access, { userId, therapistId });
