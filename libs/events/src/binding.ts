// The time in which a consumer is known to deliver to this process, everything and in order.

import { createInbox } from '@nats-io/transport-node';
import type { Msg } from '@nats-io/transport-node';
import type { JetStreamManager } from '@nats-io/jetstream';
import type { Connection } from '@practice/messaging';
import { claim, HEARTBEAT_MS } from './claim.js';
import type { Claim } from './claim.js';
import { readDelivery } from './delivery.js';
import type { Delivery } from './delivery.js';
import { repeatedFirst } from './repeated-first.js';
import type { RepeatedFirst } from './repeated-first.js';

export interface Binding {
  /** Resolves when a delivery may have been lost: what is not yet handled must be delivered again. */
  readonly lost: Promise<void>;
  /** Takes no more deliveries. */
  release(): void;
}

export interface BindOptions {
  readonly connection: Connection;
  readonly streams: JetStreamManager;
  readonly claim: Claim;
  /** Takes deliveries in the order of the stream. */
  readonly deliver: (delivery: Delivery) => void;
}

const HEARTBEATS_MISSED = 3;

/** @returns nothing while the consumer serves another process */
export async function bind({
  connection,
  streams,
  claim: wanted,
  deliver,
}: BindOptions): Promise<Binding | undefined> {
  let lose: () => void = () => {};
  const lost = new Promise<void>((resolve) => (lose = resolve));
  const inOrder = repeatedFirst(deliver);
  const inlet = createInlet(inOrder, lose);
  const inbox = createInbox(connection.inboxPrefix);
  const subscription = connection.nats.subscribe(inbox, {
    callback: (error, message) => (error ? lose() : inlet.take(message)),
  });
  // Deliveries on their way are lost with the connection, but asking for them again has to wait until it is back.
  const forget = [connection.onDown(inlet.close), connection.onUp(lose)];
  const release = (): void => {
    inlet.close();
    for (const stopListening of forget) stopListening();
    if (!connection.nats.isClosed()) subscription.unsubscribe();
  };

  const consumer = await claim(streams, wanted, inbox).catch((error: unknown) => {
    release();
    throw error;
  });
  if (consumer === undefined) {
    release();
    return undefined;
  }
  inOrder.expect(consumer.num_ack_pending);
  return { lost, release };
}

/** Lets deliveries in as long as none is missing and the server is heard. */
function createInlet(inOrder: RepeatedFirst, lose: () => void): { take(message: Msg): void; close(): void } {
  const alive = watch(lose);
  let isOpen = true;
  let last: number | undefined;

  function take(message: Msg): void {
    alive.heard();
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
    alive.stop();
  }
  return { take, close };
}

/** Calls `silent` when nothing was heard for some heartbeats: the consumer is gone, or serves another process. */
function watch(silent: () => void): { heard(): void; stop(): void } {
  let missed = 0;
  const timer = setInterval(() => {
    if (++missed > HEARTBEATS_MISSED) silent();
  }, HEARTBEAT_MS).unref();
  return { heard: () => void (missed = 0), stop: () => clearInterval(timer) };
}
