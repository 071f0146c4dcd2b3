import { newId } from '@practice/core';
import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { memberships, practices } from '@practice/contracts';
import { newRecord } from '@practice/resource';
import type { Decider } from '@practice/resource';
import { LOGGER } from '@practice/process';
import type { Logger } from '@practice/process';
import { CrossTenantConnection } from '@practice/storage';
import { RecordTransactions } from '@practice/write';
import type { RecordTransaction } from '@practice/write';
import type { ClientBase } from 'pg';
import { refuse, userGone } from '../calls/problems.js';
import { Transactions } from '../store/transactions.js';
import { userById } from '../users/users.js';
import type { User } from '../users/users.js';
import { accessOf } from '../users/access.js';
import type { Access } from '../users/access.js';
import { founding } from './membership.js';

/** Accounts in one step of the catch-up. */
const STEP = 100;

/** Opens the practices that a sign-up does not open: of accounts from before memberships, and of people who have left all practices. */
@Injectable()
export class Founders implements OnApplicationBootstrap {
  constructor(
    private readonly records: RecordTransactions,
    private readonly transactions: Transactions,
    private readonly crossTenant: CrossTenantConnection,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Gives accounts from before memberships theirs, in the background. Several processes may do it at the same time. */
  onApplicationBootstrap(): void {
    this.catchUp().catch((err: unknown) => this.logger.error({ err }, 'accounts without a membership'));
  }

  /** A practice of a user who is not a member of any. */
  async practiceFor(userId: string): Promise<Access> {
    const user = await this.transactions.run({ userId }, (client) => userById(client, userId));
    const known = await this.transactions.run({ userId }, async (client) => ({
      access: await accessOf(client, userId, null),
      hasLeft: await hasAccessRow(client, userId),
    }));
    if (known.access !== undefined) return known.access;
    // The practice that the user opened first belongs to others now.
    const therapistId = known.hasLeft ? newId() : userId;
    await this.open(therapistId, user ?? refuse(userGone));
    return { therapistId, role: 'owner', requiresMfa: false, isHeld: false };
  }

  private async open(therapistId: string, user: User): Promise<void> {
    await this.records.run({ therapistId, requestId: randomUUID() }, async (transaction) => {
      // Under the lock of the practice: another process may have opened it meanwhile.
      if (await hasAccessRow(transaction.client, user.id, therapistId)) return;
      const isThere = await transaction.change(practices, therapistId, {});
      await found(transaction, { therapistId, user, isThere });
    });
  }

  private async catchUp(): Promise<void> {
    for (;;) {
      const rows = await this.crossTenant.run({
        text: `SELECT user_id FROM identity.credentials AS c
          WHERE NOT EXISTS (SELECT FROM identity.access AS a WHERE a.user_id = c.user_id) LIMIT ${STEP}`,
        values: [],
      });
      if (rows.length === 0) return;
      for (const [userId] of rows) await this.practiceFor(String(userId));
      this.logger.info({ accounts: rows.length }, 'accounts were given their membership');
    }
  }
}

interface Founding {
  readonly therapistId: string;
  readonly user: Pick<User, 'id' | 'email' | 'metadata'>;
  /** The practice has its record already. */
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
  await transaction.createBy(founding as unknown as Decider, record);
}

/** The name among the details that a user gave about itself, under the names that apps use. */
function nameIn(metadata: object): string | null {
  const { full_name: full, name } = metadata as { full_name?: unknown; name?: unknown };
  const given = full ?? name;
  return typeof given === 'string' && given.length <= 320 ? given : null;
}

export async function hasAccessRow(
  client: ClientBase,
  userId: string,
  therapistId = userId,
): Promise<boolean> {
  const { rowCount } = await client.query(
    'SELECT 1 FROM identity.access WHERE user_id = $1 AND therapist_id = $2',
    [userId, therapistId],
  );
  return rowCount === 1;
}
