import { Inject, Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { emailNotConfirmed, refuse } from '../calls/problems.js';
import { IDENTITY_CONFIG } from '../identity.config.js';
import type { IdentityConfig } from '../identity.config.js';
import { Credential } from '../store/account.entities.js';

/** Requires that a user has proven to read the mails to the address of the account, where addresses are confirmed. */
@Injectable()
export class ConfirmedAddress {
  constructor(@Inject(IDENTITY_CONFIG) private readonly config: Pick<IdentityConfig, 'confirmsAddresses'>) {}

  /** @throws {Rejection} 403 `email_not_confirmed` */
  async require(tables: EntityManager, userId: string): Promise<void> {
    if (!(await this.isConfirmed(tables, userId))) refuse(emailNotConfirmed);
  }

  /** The transaction acts for the user. True also where addresses are not confirmed. */
  async isConfirmed(tables: EntityManager, userId: string): Promise<boolean> {
    return (
      !this.config.confirmsAddresses || tables.existsBy(Credential, { userId, confirmedAt: Not(IsNull()) })
    );
  }
}
