// Makes a consumer deliver all its messages to this process, in order, until a delivery may have been lost. The server changes a
// consumer's deliver subject only while no process listens on the present one, so a consumer serves one process at a time. When
// that process ends or loses its connection, another can take over. The server then first repeats the deliveries that were not
// acknowledged, at once and in order, before it delivers anything new.

import { createInbox, type Msg } from '@nats-io/transport-node';
import { JetStreamApiError, type ConsumerInfo, type JetStreamManager } from '@nats-io/jetstream';
import type { Connection } from '../messaging/connection.js';
import { describe, HEARTBEAT_MS, type Consumer } from './consumers.js';
import { readDelivery, type Delivery } from './delivery.js';
import { STREAM } from './envelope.js';
import { repeatedFirst, type RepeatedFirst } from './repeated-first.js';

export interface Binding {
  /** The highest stream sequence delivered to any process before this one was bound. */
  readonly delivered: number;
  /** Resolves when a delivery may have been lost. Messages that are not yet handled must then be delivered again. */
  readonly lost: Promise<void>;
  /** Stops passing on deliveries. */
  release(): void;
}

export interface BindOptions {
  readonly connection: Connection;
  readonly streams: JetStreamManager;
  readonly consumer: Consumer;
  /** Whether the subscription has no second consumer. The description of `consumer` then lists the subjects of `consumer.takes`. */
  readonly isAlone: boolean;
  /** Gets the deliveries in the order of the stream. */
  readonly deliver: (delivery: Delivery) => void;
}

const HEARTBEATS_MISSED = 3;

/** Binds a consumer to this process. @returns undefined while the consumer serves another process */
export async function bind(options: BindOptions): Promise<Binding | undefined> {
  const { connection, deliver } = options;
  let lose: () => void = () => {};
  const lost = new Promise<void>((resolve) => (lose = resolve));
  const inOrder = repeatedFirst(deliver);
  const inlet = createInlet(inOrder, lose);
  const inbox = createInbox(connection.inboxPrefix);
  const subscription = connection.nats.subscribe(inbox, {
    callback: (error, message) => (error ? lose() : inlet.take(message)),
  });
  // Deliveries in flight are lost with the connection. They can be requested again only when it is back.
  const unlisten = [connection.onDown(inlet.close), connection.onUp(lose)];
  const release = (): void => {
    inlet.close();
    for (const stop of unlisten) stop();
    subscription.unsubscribe();
  };

  const info = await claim(options, inbox).catch((error: unknown) => {
    release();
    throw error;
  });
  if (info === undefined) {
    release();
    return undefined;
  }
  inOrder.expect(info.num_ack_pending);
  return { delivered: info.delivered.stream_seq, lost, release };
}

/** "Consumer name already in use", "… exists and is still active", "… already exists": another process was first. */
const TAKEN = [10013, 10105, 10148];

/** Sets the deliver subject of a consumer, or creates it with this subject. @returns undefined while it serves another process */
async function claim(
  { streams, consumer, isAlone }: BindOptions,
  inbox: string,
): Promise<ConsumerInfo | undefined> {
  const { name, takes, create } = consumer;
  try {
    return create === undefined
      ? await streams.consumers.update(STREAM, name, {
          deliver_subject: inbox,
          ...(isAlone ? { description: describe(takes) } : {}),
        })
      : await streams.consumers.add(STREAM, { ...create, deliver_subject: inbox });
  } catch (error) {
    if (error instanceof JetStreamApiError && TAKEN.includes(error.code)) return undefined;
    throw error;
  }
}

/** Passes deliveries on until one is missing. Calls `lose` then, and when the server has been silent for too long. */
function createInlet(inOrder: RepeatedFirst, lose: () => void): { take(message: Msg): void; close(): void } {
  const heartbeat = watchHeartbeat(lose);
  let isOpen = true;
  let last: number | undefined;

  function take(message: Msg): void {
    heartbeat.heard();
    if (!isOpen) return;
    const delivery = readDelivery(message);
    if (delivery === undefined) return inOrder.repeatedAll();
    if (last !== undefined && delivery.deliverySequence !== last + 1) {
      isOpen = false;
      return lose();
    }
    last = delivery.deliverySequence;
    inOrder.take(delivery);
  }
  function close(): void {
    isOpen = false;
    heartbeat.stop();
  }
  return { take, close };
}

/** Calls `missed` after some heartbeats without a message: the consumer was deleted, or serves another process. */
function watchHeartbeat(missed: () => void): { heard(): void; stop(): void } {
  let count = 0;
  const timer = setInterval(() => {
    if (++count > HEARTBEATS_MISSED) missed();
  }, HEARTBEAT_MS).unref();
  return { heard: () => void (count = 0), stop: () => clearInterval(timer) };
}
