import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { LOGGER } from '@practice/process';
import type { Logger } from '@practice/process';
import { CrossTenantConnection } from '@practice/service';
import { AT_ONCE, deleteOld } from './attempts.js';

const EVERY_MS = 60_000;

/** Deletes rows of deliveries whose time is over. Several processes may do so at the same time. */
@Injectable()
export class OldDeliveries implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly crossTenant: CrossTenantConnection,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.sweep(), EVERY_MS);
    void this.sweep();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async sweep(): Promise<void> {
    try {
      while ((await this.crossTenant.run(deleteOld)).length === AT_ONCE);
    } catch (err) {
      this.logger.warn({ err }, 'old deliveries were not deleted');
    }
  }
}
