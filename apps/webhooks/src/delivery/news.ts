import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type Connection, removeSubscription, subjectOf, subscribe, type Subscription } from '@practice/bus';
import { WEBHOOK_ERASURES, WEBHOOK_NEWS, webhooks } from '@practice/contracts';
import { LOGGER, type Logger } from '@practice/process';
import { CrossTenantConnection, Recurring } from '@practice/storage';
import { Bell } from '../webhook/webhook-effect.js';
import { activePractices, forgetPractice, noteNews } from './claims.js';
import { EventSource } from './event-source.js';

export const CONNECTION = Symbol('connection');

/** The interval of looking up the active webhooks, in case the bus has lost a change of a webhook. */
const LOOK_EVERY_MS = 30_000;
const RETRY_MS = 1_000;

/**
 * Notes practices that have events to deliver. Every process listens to the events of practices with active webhooks, and of no other
 * practices. Defended by the bench row "book (POST)".
 */
@Injectable()
export class News implements OnApplicationBootstrap, OnApplicationShutdown {
  /** The watched practices, each with a function that stops watching. */
  private readonly watched = new Map<string, () => void>();
  private readonly due = new Set<string>();
  private readonly stops: (() => void)[] = [];
  private erasures: Subscription | undefined;
  /** Looks up the active webhooks. An older result never replaces a newer one. */
  private readonly looking = new Recurring(
    async () => this.watch(new Set((await this.crossTenant.run(activePractices)).map(([id]) => String(id)))),
    {
      everyMs: LOOK_EVERY_MS,
      onError: (err) => this.logger.warn({ err }, 'active webhooks could not be looked up'),
    },
  );
  private isNoting = false;
  private isStopped = false;

  constructor(
    @Inject(CONNECTION) private readonly connection: Connection,
    private readonly crossTenant: CrossTenantConnection,
    private readonly bell: Bell,
    private readonly source: EventSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { connection } = this;
    const { service, aggregate } = webhooks;
    const look = (): void => void this.looking.again();
    const changes = connection.nats.subscribe(subjectOf({ service, aggregate }), { callback: look });
    this.looking.start();
    this.stops.push(
      () => this.looking.stop(),
      connection.onUp(look),
      () => connection.nats.isClosed() || changes.unsubscribe(),
    );
    await removeSubscription(connection, WEBHOOK_NEWS).catch((err: unknown) =>
      this.logger.warn({ err }, 'the subscription of an earlier version could not be deleted'),
    );
    // The server knows the subscription before the table is read, so no change is missed in between.
    await connection.nats.flush();
    await this.looking.again();
    this.erasures = await subscribe({
      connection,
      name: WEBHOOK_ERASURES,
      events: ['PracticeErased'],
      handler: ({ therapistId }) => this.forget(therapistId),
      maxAttempts: Infinity,
    });
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    for (const stop of this.stops) stop();
    for (const stop of this.watched.values()) stop();
    this.source.close();
    await this.erasures?.stop();
  }

  /** Watches these practices and no others. A new practice counts as having news, because events may have come before. */
  private watch(active: ReadonlySet<string>): void {
    if (this.isStopped) return;
    for (const [id, stop] of this.watched)
      if (!active.has(id)) {
        stop();
        this.watched.delete(id);
      }
    for (const id of active)
      if (!this.watched.has(id))
        this.watched.set(
          id,
          this.source.watch(id, () => this.hear(id)),
        );
  }

  private hear(therapistId: string): void {
    this.due.add(therapistId);
    if (!this.isNoting) void this.noteAll();
  }

  private async noteAll(): Promise<void> {
    this.isNoting = true;
    while (this.due.size > 0 && !this.isStopped) {
      const practices = [...this.due];
      this.due.clear();
      try {
        const noted = await this.crossTenant.run(noteNews(practices));
        if (noted.length > 0) this.bell.emit('ring');
      } catch (err) {
        this.logger.warn({ err }, 'news of practices could not be noted');
        for (const practice of practices) this.due.add(practice);
        await new Promise((resolve) => void setTimeout(resolve, RETRY_MS).unref());
      }
    }
    this.isNoting = false;
  }

  private async forget(therapistId: string): Promise<void> {
    for (const statement of forgetPractice(therapistId)) await this.crossTenant.run(statement);
    await this.looking.again();
  }
}
