import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { LOGGER, type Logger } from '@practice/process';
import { CrossTenantConnection, TenantDatabase } from '@practice/storage';
import { RecordTransactions } from '@practice/write';
import { Sender } from '../sending/sender.js';
import { Bell, WebhookSecrets } from '../webhook/webhook-effect.js';
import { measureWaiting } from './attempts.js';
import { claimOf, freeLost, Holder, takeDue } from './claims.js';
import { Delivery } from './delivery.js';
import { EventSource } from './event-source.js';

/** Webhooks that a process serves at the same time. */
const AT_ONCE = 128;
/** Of them, the ones whose last attempt failed. */
const AGAIN_AT_ONCE = 64;
/** Retries and webhooks of a process that has stopped are looked for this often. */
const LOOK_EVERY_MS = 1_000;
const STOP_WITHIN_MS = 8_000;

/** The deliveries of this process. Each webhook is served by one process at a time, and none waits for another one. */
@Injectable()
export class Deliveries implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private isLooking = false;
  private isRung = false;

  constructor(
    private readonly crossTenant: CrossTenantConnection,
    private readonly database: TenantDatabase,
    private readonly records: RecordTransactions,
    private readonly source: EventSource,
    private readonly secrets: WebhookSecrets,
    private readonly sender: Sender,
    private readonly bell: Bell,
    private readonly holder: Holder,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    measureWaiting(this.crossTenant);
    this.bell.on('ring', () => void this.look());
    this.timer = setInterval(() => void this.lookForLost(), LOOK_EVERY_MS);
  }

  /** Ends attempts that are under way; they do not count, and are made again by another process. */
  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.stopping.abort();
    const timeout = new Promise<void>((resolve) => void setTimeout(resolve, STOP_WITHIN_MS).unref());
    await Promise.race([Promise.all(this.running), timeout]);
    await this.holder.close();
  }

  /** Also takes over from processes that have ended. */
  private async lookForLost(): Promise<void> {
    await this.crossTenant
      .run(freeLost)
      .catch((err: unknown) => this.logger.warn({ err }, 'webhooks of ended processes could not be freed'));
    await this.look();
  }

  /** Takes what is due, as far as there is room. A ring during a look causes another one. */
  private async look(): Promise<void> {
    this.isRung = true;
    if (this.isLooking) return;
    this.isLooking = true;
    try {
      while (this.isRung && !this.stopping.signal.aborted) {
        this.isRung = false;
        await this.take();
      }
    } catch (err) {
      this.logger.warn({ err }, 'due webhooks could not be listed');
    } finally {
      this.isLooking = false;
    }
  }

  private async take(): Promise<void> {
    const room = AT_ONCE - this.running.size;
    if (room <= 0) return;
    const again = Math.max(0, Math.min(AGAIN_AT_ONCE, room - (AT_ONCE - AGAIN_AT_ONCE)));
    const { id: holder, over } = await this.holder.session();
    for (const row of await this.crossTenant.run(takeDue({ first: room - again, again }, holder))) {
      const { database, records, source, secrets, sender, stopping } = this;
      const parts = { database, records, source, secrets, sender };
      const delivery = new Delivery(claimOf(row), parts, AbortSignal.any([stopping.signal, over]));
      const run = this.serve(delivery).finally(() => {
        this.running.delete(run);
        void this.look();
      });
      this.running.add(run);
    }
  }

  private async serve(delivery: Delivery): Promise<void> {
    try {
      await delivery.run();
    } catch (err) {
      this.logger.warn({ err }, 'a webhook was not served; it is served again soon');
      // If that fails too, the lease ends.
      await delivery.putOff().catch(() => undefined);
    }
  }
}
