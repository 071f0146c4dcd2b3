import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { LOGGER } from '@practice/process';
import type { Logger } from '@practice/process';
import { CrossTenantConnection, Recurring } from '@practice/storage';
import { statementOf, unbound } from '../store/database.js';
import { Archive } from '../store/practice.entities.js';
import { ExportWorkSteps } from './export-work.js';

const EVERY_MS = 2_000;

/** For a complete export, which stays done, it has no effect. */
const STOPPED = 'the process that made the archive has stopped, or the access of the requester has ended';

/** Deletes archives that have expired, and ends exports whose process no longer reports. */
@Injectable()
export class EndExports implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly recurring: Recurring;

  constructor(
    private readonly crossTenant: CrossTenantConnection,
    private readonly steps: ExportWorkSteps,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.recurring = new Recurring(() => this.endAll(), {
      everyMs: EVERY_MS,
      onError: (err) => logger.error({ err }, 'ended exports could not be listed'),
    });
  }

  onApplicationBootstrap(): void {
    this.recurring.start();
  }

  onApplicationShutdown(): void {
    this.recurring.stop();
  }

  private async endAll(): Promise<void> {
    const ended = unbound
      .createQueryBuilder(Archive, 'a')
      .select(['a.therapistId', 'a.exportId'])
      .where('coalesce(a.expiresAt, a.aliveUntil) <= now()');
    const rows = await this.crossTenant.run(statementOf(ended));
    for (const [therapistId, exportId] of rows)
      await this.steps
        .end(
          { therapistId: String(therapistId), exportId: String(exportId) },
          { requestId: randomUUID(), problem: STOPPED },
        )
        // One that cannot be ended must not keep the others.
        .catch((err: unknown) => this.logger.error({ err, exportId }, 'an ended export was not deleted'));
  }
}
