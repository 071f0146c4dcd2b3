import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { LOGGER } from '@practice/process';
import type { Logger } from '@practice/process';
import { CrossTenantConnection } from '@practice/service';

const EVERY_MS = 3_600_000;

/** Sign-ups and changes of an address that were not answered. They hold addresses of people who may not know of them. */
const TABLES = ['pending_sign_ups', 'address_changes'];

/** Deletes mailed requests that were not answered within a day. */
@Injectable()
export class ForgetUnanswered implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly crossTenant: CrossTenantConnection,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.forget();
    this.timer = setInterval(() => this.forget(), EVERY_MS);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private forget(): void {
    for (const table of TABLES)
      this.crossTenant
        .run({ text: `DELETE FROM identity.${table} WHERE expires_at < now()`, values: [] })
        .catch((err: unknown) => this.logger.error({ err, table }, 'expired rows were not deleted'));
  }
}
