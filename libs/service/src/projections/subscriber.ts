import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { catalog } from '@practice/contracts';
import { removeSubscription, subjectOf, subscribe } from '@practice/events';
import type { Subscription } from '@practice/events';
import type { Connection } from '@practice/messaging';
import { BatchHandler } from './batch-handler.js';
import type { Mirrored } from './mirror-table.js';

export const SUBSCRIBER_OPTIONS = Symbol('subscriber options');

export interface SubscriberOptions {
  readonly service: string;
  readonly connection: Connection;
  readonly mirrored: Mirrored;
}

/** The process's subscriptions to other services' events, from bootstrap to shutdown: one per source service. */
@Injectable()
export class MirrorSubscriber implements OnApplicationBootstrap, OnApplicationShutdown {
  private subscriptions: readonly Subscription[] = [];

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
    const unused = sources().filter((source) => source !== service && !subjects.has(source));
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
      batch: (events) => this.handler.applyBatch(events),
      handler: (event) => this.handler.apply(event),
      // A mirror that left an event out would refuse the next one of the same record.
      maxAttempts: Infinity,
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.subscriptions.map((subscription) => subscription.stop()));
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
