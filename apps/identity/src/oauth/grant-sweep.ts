// Deletes the records of grants that ended without a revocation: they expired, or ended with a membership, a password or a client.

import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '@practice/process';
import { CrossTenantConnection } from '@practice/storage';
import { statementOf, unbound } from '../store/database.js';
import { OauthGrantUse } from '../store/oauth.entities.js';
import { RepeatedWork } from '../store/repeated-work.js';
import { Grants } from './grants.js';

const EVERY_MS = 5_000;
const AT_ONCE = 100;

const ended = statementOf(
  unbound
    .createQueryBuilder(OauthGrantUse, 'g')
    .select(['g.therapistId', 'g.id'])
    .where(
      `g.expires_at <= now() OR NOT EXISTS (SELECT FROM identity.personal_tokens AS t WHERE t.id = g.id)`,
    )
    .orderBy('random()')
    .limit(AT_ONCE),
);

@Injectable()
export class GrantSweep extends RepeatedWork {
  constructor(
    private readonly crossTenant: CrossTenantConnection,
    private readonly grants: Grants,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(EVERY_MS, 'the records of ended grants were not deleted', logger);
  }

  protected async work(): Promise<void> {
    const rows = await this.crossTenant.run(ended);
    await this.forEach(rows, (therapistId, id) => this.grants.endIn(therapistId, id));
  }
}
