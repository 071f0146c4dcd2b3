import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from '@practice/process';
import { Recurring } from '@practice/storage';

/** Work that each process of the service repeats while it serves. Several processes may do it at the same time. */
export abstract class RepeatedWork implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly recurring: Recurring;

  /** @param failed the message that is logged when the work has failed. The work is tried again. */
  constructor(
    everyMs: number,
    failed: string,
    protected readonly logger: Logger,
  ) {
    this.recurring = new Recurring(() => this.work(), {
      everyMs,
      onError: (err) => logger.error({ err }, failed),
    });
  }

  onApplicationBootstrap(): void | Promise<void> {
    this.recurring.start();
  }

  onApplicationShutdown(): void {
    this.recurring.stop();
  }

  protected abstract work(): Promise<void>;
}
