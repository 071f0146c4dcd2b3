import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { personalServices } from '@practice/contracts';
import { LOGGER } from '@practice/process';
import type { Logger } from '@practice/process';
import { CrossTenantConnection, Recurring } from '@practice/storage';
import { statementOf, unbound } from '../store/database.js';
import { BusErasure } from '../store/practice.entities.js';
import { OtherServices } from '../notices/other-services.js';

const EVERY_MS = 2_000;

const open = statementOf(unbound.createQueryBuilder(BusErasure, 'b').orderBy('b.therapistId').limit(100));

/**
 * Has the services erase what the bus still has of erased practices, once all of them have erased their own part. Every step can be
 * repeated, and a practice stays on the list until all are done: so a process that is killed leaves it to the next look.
 */
@Injectable()
export class EraseFromBus implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly recurring: Recurring;

  constructor(
    private readonly crossTenant: CrossTenantConnection,
    private readonly services: OtherServices,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.recurring = new Recurring(() => this.eraseAll(), {
      everyMs: EVERY_MS,
      onError: (err) => logger.error({ err }, 'erased practices were not erased from the bus'),
    });
  }

  onApplicationBootstrap(): void {
    this.recurring.start();
  }

  onApplicationShutdown(): void {
    this.recurring.stop();
  }

  private async eraseAll(): Promise<void> {
    for (const [therapistId] of await this.crossTenant.run(open)) await this.eraseOne(String(therapistId));
  }

  /** One that fails does not keep others waiting. */
  private async eraseOne(therapistId: string): Promise<void> {
    try {
      for (const service of personalServices)
        if (!(await this.services.hasErased(service, therapistId))) return;
      for (const service of personalServices) await this.services.eraseFromBus(service, therapistId);
      await this.crossTenant.run(
        statementOf(unbound.createQueryBuilder().delete().from(BusErasure).where({ therapistId })),
      );
      this.logger.info({ therapistId }, 'a practice was erased from the bus');
    } catch (err) {
      this.logger.warn({ err, therapistId }, 'a practice was not erased from the bus');
    }
  }
}
