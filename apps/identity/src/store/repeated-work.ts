import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from '@practice/process';
import { Recurring } from '@practice/storage';

/** Work that each process of the service repeats while it serves. Several processes may do it at the same time. */
export abstract class RepeatedWork implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly recurring: Recurring;

  /** @param failed the message that is logged when the work has failed. The work is tried again. */
  constructor(
    everyMs: number,
    private readonly failed: string,
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

  /** Does work for each row, in order. A row whose work fails is logged, and does not block the others. */
  protected async forEach(
    rows: readonly (readonly unknown[])[],
    work: (therapistId: string, id: string) => Promise<unknown>,
  ): Promise<void> {
    for (const [therapistId, id] of rows)
      await work(String(therapistId), String(id)).catch((err: unknown) =>
        this.logger.error({ err, therapistId, id }, this.failed),
      );
  }
}
