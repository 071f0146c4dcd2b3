// A fictional service with events about lamps, and subscriptions to these events, for specs on the real bus.

import { afterEach, beforeEach } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import type { RecordedEvent } from '@practice/core';
import { connect, type Connection } from '../../messaging/connection.js';
import { eventually, stack } from '@practice/testing';
import { removeSubscription } from '../consumers.js';
import { createPublisher } from '../publisher.js';
import { subscribe, type EventOf, type SubscribeOptions, type Subscription } from '../subscribe.js';

export interface Events {
  readonly LampLit: { readonly brightness: number };
  readonly LampPutOut: { readonly reason: string };
  readonly LampSold: { readonly price: string };
}

type Handler = (event: EventOf<Events>) => Promise<void> | void;

const open: (() => Promise<unknown>)[] = [];
/** The service and the subscription of the running test. */
const fresh = { service: '', subjects: [] as string[], name: '' };

async function connected(
  logger?: Partial<Connection['logger']>,
  url = stack().natsUrl('admin'),
): Promise<Connection> {
  const quiet = { info: () => {}, warn: () => {}, error: () => {}, ...logger };
  const connection = await connect({ url, name: 'events spec', logger: quiet });
  open.push(() => connection.close());
  return connection;
}

async function closeAll(): Promise<void> {
  for (const close of open.splice(0).reverse()) await close();
}

/** Registers hooks that give each test its own service and subscription. */
export function lamps() {
  beforeEach(() => {
    const service = `spec-${randomUUID()}`;
    Object.assign(fresh, {
      service,
      subjects: [`practice.events.${service}.>`],
      name: `spec-${randomUUID()}`,
    });
  });
  afterEach(async () => {
    await closeAll();
    await removeSubscription(await connected(), fresh.name);
    await closeAll();
  });
  return {
    fresh,
    connected,
    async streams(): Promise<JetStreamManager> {
      return jetstreamManager((await connected()).nats, { checkAPI: false });
    },
    /** Publishes events. @returns for each event whether the stream acknowledged it */
    async publish(events: readonly RecordedEvent[]): Promise<readonly boolean[]> {
      const publisher = createPublisher({ connection: await connected(), service: fresh.service });
      return (await publisher.publish(events)).map((message) => message !== null);
    },
    async listen(handler: Handler, more: Partial<SubscribeOptions<Events>> = {}): Promise<Subscription> {
      const connection = more.connection ?? (await connected());
      const { name, subjects } = fresh;
      const defaults = { name, subjects, handler, retryAfter: () => 5 };
      const subscription = await subscribe<Events>({ ...defaults, ...more, connection });
      open.push(() => subscription.stop());
      return subscription;
    },
  };
}

/** An event as it is in a log. */
export function lamp(
  practice: string,
  position: number,
  type: keyof Events & string = 'LampLit',
): RecordedEvent {
  const data = {
    LampLit: { brightness: position },
    LampPutOut: { reason: 'bedtime' },
    LampSold: { price: '1.00' },
  };
  return {
    type,
    data: data[type],
    therapistId: practice,
    position,
    aggregate: 'lamp',
    streamId: randomUUID(),
    version: 1,
    schemaVersion: 1,
    metadata: {
      eventId: randomUUID(),
      actor: { kind: 'system' as const },
      requestId: 'r',
      correlationId: 'c',
    },
    recordedAt: new Date().toISOString(),
  };
}

/** Waits until `holds` returns true. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  await eventually(`it holds: ${holds}`, holds);
}

export function positionsOf(practice: string, events: readonly EventOf<Events>[]): number[] {
  return events.filter(({ therapistId }) => therapistId === practice).map(({ position }) => position);
}

export const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
