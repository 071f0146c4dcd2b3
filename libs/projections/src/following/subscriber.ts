import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { catalog } from '@practice/contracts';
import { progressOf, removeSubscription, subjectOf, subscribe } from '@practice/bus';
import type { PublishedEvent, Subscription, Connection } from '@practice/bus';
import { applyInSpan, recordEvents } from '@practice/tracing';
import { measureSubscriptions, observeFailed, observeHandled } from './subscription-metrics.js';
import { noteFollowed } from '../folding/followed.js';
import type { CrossTenantConnection, Mirrored } from '@practice/storage';
import { BatchHandler } from '../applying/batch-handler.js';

export const SUBSCRIBER_OPTIONS = Symbol('subscriber options');

export interface SubscriberOptions {
  readonly service: string;
  readonly connection: Connection;
  readonly mirrored: Mirrored;
  readonly crossTenant: CrossTenantConnection;
}

const NOTE_EVERY_MS = 5_000;

/** The process's subscriptions to other services' events, from bootstrap to shutdown: one per source service. */
@Injectable()
export class MirrorSubscriber implements OnApplicationBootstrap, OnApplicationShutdown {
  private subscriptions: readonly Subscription[] = [];
  private names: readonly string[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(SUBSCRIBER_OPTIONS) private readonly options: SubscriberOptions,
    private readonly handler: BatchHandler,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { service, mirrored } = this.options;
    const subjects = subjectsBySource(mirrored);
    this.subscriptions = await Promise.all(
      [...subjects].map(([source, of]) => this.subscribeTo(subscriptionOf(service, source), of)),
    );
    this.names = [...subjects.keys()].map((source) => subscriptionOf(service, source));
    this.timer = setInterval(() => void this.note(), NOTE_EVERY_MS).unref();
    const unused = sources().filter((source) => source !== service && !subjects.has(source));
    measureSubscriptions(this.options.connection, this.names);
    for (const source of unused) void this.remove(subscriptionOf(service, source));
  }

  /** Deletes the subscription to a service whose records are no longer mirrored. */
  private async remove(name: string): Promise<void> {
    const { connection } = this.options;
    await removeSubscription(connection, name).catch((err: unknown) =>
      connection.logger.warn({ err, subscription: name }, 'an unused subscription could not be deleted'),
    );
  }

  private subscribeTo(name: string, subjects: readonly string[]): Promise<Subscription> {
    return subscribe({
      connection: this.options.connection,
      name,
      subjects,
      batch: async (events) => {
        const start = Date.now();
        const done = await this.handler.applyBatch(events);
        const handled = events.filter((_, index) => done[index] === true);
        observeHandled(name, handled);
        recordEvents('apply', handled, { start, end: Date.now() });
        return done;
      },
      handler: (event) => this.handleOne(name, event),
      // A mirror that skipped an event would refuse the next event of the same record.
      maxAttempts: Infinity,
    });
  }

  private async handleOne(name: string, event: PublishedEvent): Promise<void> {
    try {
      await applyInSpan(event, () => this.handler.apply(event));
      observeHandled(name, [event]);
    } catch (error) {
      observeFailed(name);
      throw error;
    }
  }

  /** Stores how far the mirror has followed. The progress is read before it is stored, so it is never ahead of the mirror. */
  private async note(): Promise<void> {
    const { connection, service, crossTenant } = this.options;
    for (const name of this.names)
      try {
        await crossTenant.run(noteFollowed(service, name, await progressOf(connection, name)));
      } catch (err) {
        connection.logger.warn({ err, subscription: name }, 'the position of a follower could not be noted');
      }
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.subscriptions.map((subscription) => subscription.stop()));
    await this.note();
  }
}

/** The services that own resources. */
const sources = (): string[] => [...new Set([...catalog.resources.values()].map(({ service }) => service))];

/** The name of a service's subscription to another service's events. */
export const subscriptionOf = (service: string, source: string): string => `${service}-mirror-${source}`;

/** The subjects of every event of the mirrored resources, by the service that owns them. */
export function subjectsBySource(mirrored: Mirrored): Map<string, string[]> {
  const subjects = new Map<string, string[]>();
  for (const name of Object.keys(mirrored)) {
    const resource = catalog.resources.get(name);
    if (resource === undefined) throw new Error(`'${name}' is mirrored but is not a resource`);
    const { service, aggregate } = resource;
    subjects.set(service, [...(subjects.get(service) ?? []), subjectOf({ service, aggregate })]);
  }
  return subjects;
}
