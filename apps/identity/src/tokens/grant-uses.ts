// The uses of grants: the last one is shown to people, and the first one from a new address is a security event.

import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '@practice/process';
import { RecordTransactions } from '@practice/write';
import type { EntityManager } from 'typeorm';
import { nowInMilliseconds } from '../store/database.js';
import { OauthGrantUse } from '../store/oauth.entities.js';
import { SecurityEventRecord } from '../store/record.entities.js';
import { note } from '../store/security-events.js';
import type { PersonalToken } from '../store/session.entities.js';

type Grant = Pick<PersonalToken, 'therapistId' | 'id' | 'userId'>;

const KIND = 'oauth_grant_used';

@Injectable()
export class GrantUses {
  constructor(
    private readonly records: RecordTransactions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Records the last use. The transaction acts for the member. */
  async keep(tables: EntityManager, { therapistId, id, userId }: Grant, address: string): Promise<void> {
    const use = { lastUsedAt: nowInMilliseconds, lastUsedAddress: address };
    await tables.update(OauthGrantUse, { therapistId, id }, use);
    const known = { therapistId, userId, kind: KIND, tokenId: id, address };
    if (!(await tables.existsBy(SecurityEventRecord, known)))
      this.noteLater({ therapistId, id, userId }, address);
  }

  /** Records the event in the background, so the caller does not wait for the lock of the practice. */
  private noteLater({ therapistId, id, userId }: Grant, address: string): void {
    this.records
      .run({ therapistId, requestId: randomUUID() }, (transaction) =>
        note(transaction, { therapistId, kind: KIND, userId, by: { userId }, tokenId: id, address }),
      )
      .catch((err: unknown) => this.logger.error({ err }, 'the use of a grant was not recorded'));
  }
}
