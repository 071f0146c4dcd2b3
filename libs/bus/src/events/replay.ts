// Reads the stream once, from a position to its present end. The consumer that reads is temporary: the server deletes it when
// it is no longer used.

import { AckPolicy, DeliverPolicy, JetStreamError, jetstream } from '@nats-io/jetstream';
import type { Consumer, JetStreamManager, JsMsg } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Connection } from '../messaging/connection.js';
import { remove, streamsOf } from './consumers.js';
import { eventIn, STREAM, type PublishedEvent } from './envelope.js';
import { covering, matcher } from './subjects.js';

export interface ReplayOptions {
  readonly connection: Connection;
  /** NATS subjects, with wildcards. */
  readonly subjects: readonly string[];
  /** Begins after this sequence of the stream. */
  readonly after?: number;
  /** The name of the temporary consumer; random unless given. A user with limited permissions needs `<user>~replay`. */
  readonly consumer?: string;
}

export interface Replayed {
  /** Its position in the stream. */
  readonly sequence: number;
  readonly event: PublishedEvent;
}

const BATCH = 500;
const WAIT_MS = 2_000;
/** How many attempts in a row may bring nothing although there is more: a busy server is slow, not empty. */
const FUTILE_ATTEMPTS = 5;
const FORGOTTEN_AFTER_MS = 30_000;

/**
 * Yields every event of the subjects in order, up to the last one in the stream when it begins. An event that was published
 * twice comes twice.
 * @throws {Error} when the server has more and does not deliver it
 */
export async function* replay(options: ReplayOptions): AsyncGenerator<Replayed, void, undefined> {
  const { connection, subjects, after = 0 } = options;
  const isWanted = matcher(subjects);
  const streams = await streamsOf(connection);
  const { state } = await streams.streams.info(STREAM);
  let last = after;
  for (let futile = 0; last < state.last_seq;) {
    const { pending, messages } = await readFrom(last + 1, streams, options);
    if (pending === 0) return;
    const from = last;
    for await (const message of messages) {
      if (message.sequence > state.last_seq) return;
      last = message.sequence;
      // Other messages are ignored.
      const event = isWanted(message.subject) ? eventIn(message.subject, message.data) : undefined;
      if (event !== undefined) yield { sequence: last, event };
    }
    futile = last === from ? futile + 1 : 0;
    if (futile === FUTILE_ATTEMPTS) throw new Error('the stream has more than it delivers');
  }
}

interface Read {
  readonly sequence: number;
  readonly subject: string;
  readonly data: Uint8Array;
}

interface Reading {
  /** How many messages there are from the start on, counted when the reading began. */
  readonly pending: number;
  /** Those messages in order. Ends early when one is missing in between or none comes for a while. */
  readonly messages: AsyncIterable<Read>;
}

async function readFrom(
  start: number,
  streams: JetStreamManager,
  { connection, subjects, consumer: given }: ReplayOptions,
): Promise<Reading> {
  // The consumer of an earlier replay with this name.
  if (given !== undefined) await remove(streams, given);
  const { name, num_pending: pending } = await streams.consumers.add(STREAM, {
    ...(given === undefined ? {} : { name: given }),
    filter_subject: covering(subjects),
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: start,
    ack_policy: AckPolicy.None,
    inactive_threshold: nanos(FORGOTTEN_AFTER_MS),
  });
  const consumer = await jetstream(connection.nats).consumers.get(STREAM, name);
  return { pending, messages: messagesOf(consumer, pending) };
}

async function* messagesOf(consumer: Consumer, counted: number): AsyncGenerator<Read, void, undefined> {
  let pending = counted;
  for (let delivered = 0; pending > 0;) {
    // If more were requested than there is, the server would wait for it.
    const batch = await fetched(consumer, Math.min(BATCH, pending));
    if (batch.length === 0) return;
    for (const { info, seq, subject, data } of batch) {
      if (info.deliverySequence !== ++delivered) return;
      pending = info.pending;
      yield { sequence: seq, subject, data };
    }
  }
}

/**
 * Waits for the whole batch: the client expects a sign of life from the server each second until the last message is taken,
 * and a reader may need longer than that for one message.
 * @returns fewer messages when the server is slow
 */
async function fetched(consumer: Consumer, count: number): Promise<JsMsg[]> {
  const messages: JsMsg[] = [];
  try {
    for await (const message of await consumer.fetch({ max_messages: count, expires: WAIT_MS }))
      messages.push(message);
  } catch (error) {
    if (!(error instanceof JetStreamError) || error.message !== 'heartbeats missed') throw error;
  }
  return messages;
}
