// Lets the next consumer of a growing subscription replace the main one. Both deliver to this process. Once both have nearly
// reached the same position of the stream, the main consumer finishes there, and the next one takes over all subjects.

import { setTimeout as pause } from 'node:timers/promises';
import type { JetStreamManager } from '@nats-io/jetstream';
import type { Connection } from '../messaging/connection.js';
import type { Binding } from './binding.js';
import { describe, remove, type Consumer, type Wanted } from './consumers.js';
import type { Delivery } from './delivery.js';
import { STREAM } from './envelope.js';

/** A consumer that serves this process, or is about to. */
export interface Served {
  readonly consumer: Consumer;
  readonly takes: (subject: string) => boolean;
  binding: Binding | undefined;
  /** The highest stream sequence that the consumer has delivered. */
  last: number;
  /** Sequences delivered after the session's limit. They are neither handled nor acknowledged. */
  readonly parked: Set<number>;
}

export interface Joining {
  readonly connection: Connection;
  readonly streams: JetStreamManager;
  readonly wanted: Wanted;
  readonly main: Served;
  readonly next: Served;
  /** Deliveries that are not yet acknowledged, by stream sequence. */
  readonly held: ReadonlyMap<number, Delivery>;
  /** Sets the sequence after which deliveries are parked. */
  readonly setLimit: (sequence: number) => void;
}

/** The next consumer has caught up when it has at most this many messages left to deliver. */
const CAUGHT_UP = 500;
/** A practice whose events fail can block the main consumer. After this time both consumers go on, and joining is tried again later. */
const JOIN_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 20;

/** Joins the consumers. @returns 'not joined' when the main consumer did not finish in time; the session must then start again */
export async function joinConsumers(
  joining: Joining,
  isEnded: () => boolean,
): Promise<'joined' | 'not joined' | 'not yet'> {
  const { connection, streams, wanted, main, next, setLimit } = joining;
  const { num_pending: pending } = await streams.consumers.info(STREAM, next.consumer.name);
  if (pending > CAUGHT_UP || isEnded()) return 'not yet';
  const limit = Math.max(main.last, next.last);
  setLimit(limit);
  const deadline = performance.now() + JOIN_WITHIN_MS;
  while (!(await isFinished(joining, limit))) {
    if (isEnded() || performance.now() > deadline) return 'not joined';
    await pause(LOOK_EVERY_MS);
  }
  // The order matters: after a crash in between, there are two main consumers, and the newer one is used.
  await streams.consumers.update(STREAM, next.consumer.name, { description: describe(wanted.takes) });
  await remove(streams, main.consumer.name);
  connection.logger.info({ subscription: wanted.name, limit }, 'the added events have caught up');
  return 'joined';
}

/**
 * Whether the main consumer has handled every message up to the limit, and this process has received every message up to the limit
 * from the next consumer. Before that, the next consumer would handle again some events that the main one already handled.
 */
async function isFinished({ streams, main, next, held }: Joining, limit: number): Promise<boolean> {
  // The main consumer is checked first: until it has finished, `held` also contains its deliveries.
  const unfinished = await unhandled(streams, main, limit);
  return unfinished === 0 && (await unhandled(streams, next, limit)) === held.size;
}

/** How many delivered messages up to the limit are unacknowledged; Infinity while the consumer has more of them to deliver. */
async function unhandled(streams: JetStreamManager, served: Served, limit: number): Promise<number> {
  const info = await streams.consumers.info(STREAM, served.consumer.name);
  if (info.num_pending > 0 && served.last < limit) return Infinity;
  return info.num_ack_pending - served.parked.size;
}
