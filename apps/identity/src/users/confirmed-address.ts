import { Inject, Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';
import { emailNotConfirmed, refuse } from '../calls/problems.js';
import { IDENTITY_CONFIG } from '../identity.config.js';
import type { IdentityConfig } from '../identity.config.js';
import { Transactions } from '../store/transactions.js';

/** Requires that a user has proven to read the mails to the address of the account, where addresses are confirmed. */
@Injectable()
export class ConfirmedAddress {
  constructor(
    private readonly transactions: Transactions,
    @Inject(IDENTITY_CONFIG) private readonly config: Pick<IdentityConfig, 'confirmsAddresses'>,
  ) {}

  /** @throws {Rejection} 403 `email_not_confirmed` */
  async require(userId: string): Promise<void> {
    await this.transactions.run({ userId }, (client) => this.requireIn(client, userId));
  }

  /** The same in a transaction that acts for the user. */
  async requireIn(client: ClientBase, userId: string): Promise<void> {
    if (!(await this.isConfirmed(client, userId))) refuse(emailNotConfirmed);
  }

  /** True also where addresses are not confirmed. */
  async isConfirmed(client: ClientBase, userId: string): Promise<boolean> {
    if (!this.config.confirmsAddresses) return true;
    const { rowCount } = await client.query(
      'SELECT 1 FROM identity.credentials WHERE user_id = $1 AND confirmed_at IS NOT NULL',
      [userId],
    );
    return rowCount === 1;
  }
}
