import { setMaxListeners } from 'node:events';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { oncePer } from '@practice/core';
import { LOGGER, type Logger } from '@practice/process';
import { CrossTenantConnection, Recurring, TenantDatabase } from '@practice/storage';
import { RecordTransactions } from '@practice/write';
import { Sender } from '../sending/sender.js';
import { Bell, WebhookSecrets } from '../webhook/webhook-effect.js';
import { measureWaiting } from './attempts.js';
import { claimOf, freeLost, Holder, takeDue } from './claims.js';
import { Delivery } from './delivery.js';
import { EventSource } from './event-source.js';

/** The number of webhooks that a process serves at the same time. */
const AT_ONCE = 128;
/** The number of these webhooks whose last attempt may have failed. */
const AGAIN_AT_ONCE = 64;
/** The interval at which a process looks for retries, and for webhooks of processes that have stopped. */
const LOOK_EVERY_MS = 1_000;
const STOP_WITHIN_MS = 8_000;

/** The deliveries of this process. One process at a time serves a webhook, and no webhook waits for another webhook. */
@Injectable()
export class Deliveries implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  /** One signal for each session of the holder: on Node 20, each `AbortSignal.any` leaves entries in its sources. */
  private readonly stopIn = oncePer(new WeakMap<AbortSignal, AbortSignal>(), (over) => {
    const stop = AbortSignal.any([this.stopping.signal, over]);
    setMaxListeners(AT_ONCE, stop);
    return stop;
  });
  private timer: NodeJS.Timeout | undefined;
  /** A ring during a look causes another look. */
  private readonly looking = new Recurring(() => this.take(), {
    everyMs: LOOK_EVERY_MS,
    onError: (err) => this.logger.warn({ err }, 'due webhooks could not be listed'),
  });

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
    this.bell.on('ring', () => void this.looking.again());
    this.timer = setInterval(() => void this.lookForLost(), LOOK_EVERY_MS);
  }

  /** Ends running attempts. They do not count, and another process repeats them. */
  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.stopping.abort();
    const timeout = new Promise<void>((resolve) => void setTimeout(resolve, STOP_WITHIN_MS).unref());
    await Promise.race([Promise.all(this.running), timeout]);
    await this.holder.close();
  }

  /** Frees webhooks of processes that have ended, and takes due webhooks. */
  private async lookForLost(): Promise<void> {
    await this.crossTenant
      .run(freeLost)
      .catch((err: unknown) => this.logger.warn({ err }, 'webhooks of ended processes could not be freed'));
    await this.looking.again();
  }

  /** Takes due webhooks as long as there is room. */
  private async take(): Promise<void> {
    const room = AT_ONCE - this.running.size;
    if (room <= 0 || this.stopping.signal.aborted) return;
    const again = Math.max(0, Math.min(AGAIN_AT_ONCE, room - (AT_ONCE - AGAIN_AT_ONCE)));
    const { id: holder, over } = await this.holder.session();
    const stop = this.stopIn(over);
    for (const row of await this.crossTenant.run(takeDue({ first: room - again, again }, holder))) {
      const { database, records, source, secrets, sender } = this;
      const parts = { database, records, source, secrets, sender };
      const delivery = new Delivery(claimOf(row), parts, stop);
      const run = this.serve(delivery).finally(() => {
        this.running.delete(run);
        void this.looking.again();
      });
      this.running.add(run);
    }
  }

  private async serve(delivery: Delivery): Promise<void> {
    try {
      await delivery.run();
    } catch (err) {
      this.logger.warn({ err }, 'a webhook was not served; it is served again soon');
      // If this fails as well, the lease expires.
      await delivery.putOff().catch(() => undefined);
    }
  }
}
