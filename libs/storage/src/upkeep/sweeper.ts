import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Statement } from '@practice/log';
import { LOGGER, type Logger } from '@practice/process';
import { Recurring } from './recurring.js';
import { CrossTenantConnection } from '../connections/cross-tenant-connection.js';

/** The deletion of expired rows of one table. */
export interface Sweep {
  readonly table: string;
  /** Deletes at most `atOnce` rows, and returns a row for each. It runs as the relay's role. */
  readonly statement: Statement;
  /** `SWEPT_AT_ONCE` by default. */
  readonly atOnce?: number;
}

/** The most rows that one statement deletes. It is small because followers of events use the same connections. */
export const SWEPT_AT_ONCE = 1_000;

/** The injection token of the sweeps of a service. */
export const SWEEPS = Symbol('sweeps');

const EVERY_MS = 60_000;

/** Deletes expired rows, also of inactive practices and users. Several processes may do so at the same time. */
@Injectable()
export class Sweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly recurring: Recurring;
  private isStopped = false;

  constructor(
    private readonly crossTenant: CrossTenantConnection,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(SWEEPS) private readonly sweeps: readonly Sweep[],
  ) {
    this.recurring = new Recurring(() => this.sweepAll(), {
      everyMs: EVERY_MS,
      onError: (err) => logger.error({ err }, 'expired rows could not be listed'),
    });
  }

  onApplicationBootstrap(): void {
    this.recurring.start();
    void this.recurring.once();
  }

  onApplicationShutdown(): void {
    this.isStopped = true;
    this.recurring.stop();
  }

  /** Deletes all rows that have expired. */
  async sweepAll(): Promise<void> {
    for (const sweep of this.sweeps)
      // A failure in one table must not prevent the deletions in other tables.
      await this.sweepOne(sweep).catch((err: unknown) => {
        // The connection of a process that ends is closed.
        if (!this.isStopped) this.logger.warn({ err, table: sweep.table }, 'old rows were not deleted');
      });
  }

  private async sweepOne({ statement, atOnce = SWEPT_AT_ONCE }: Sweep): Promise<void> {
    let swept;
    do swept = (await this.crossTenant.run(statement)).length;
    while (swept >= atOnce && !this.isStopped);
  }
}
