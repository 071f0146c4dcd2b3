import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { catalog } from '@practice/contracts';
import { subjectOf, subscribe } from '@practice/events';
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

/** The process's subscription to other services' events, from bootstrap to shutdown. */
@Injectable()
export class MirrorSubscriber implements OnApplicationBootstrap, OnApplicationShutdown {
  private subscription: Subscription | undefined;

  constructor(
    @Inject(SUBSCRIBER_OPTIONS) private readonly options: SubscriberOptions,
    private readonly handler: BatchHandler,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { service, connection, mirrored } = this.options;
    const subjects = subjectsOf(mirrored);
    if (subjects.length === 0) return;
    this.subscription = await subscribe({
      connection,
      name: subscriptionOf(service),
      subjects,
      batch: (events) => this.handler.applyBatch(events),
      handler: (event) => this.handler.apply(event),
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.subscription?.stop();
  }
}

/** The name of a service's subscription to other services' events. */
export const subscriptionOf = (service: string): string => `${service}-mirror`;

/** The subjects of every event of the mirrored resources. */
export const subjectsOf = (mirrored: Mirrored): string[] =>
  Object.keys(mirrored).map((name) => {
    const resource = catalog.resources.get(name);
    if (resource === undefined) throw new Error(`${name} is mirrored but is not a resource`);
    return subjectOf({ service: resource.service, aggregate: resource.aggregate });
  });
