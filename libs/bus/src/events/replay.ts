// Reads the stream once, from a position to its present end. The consumer is temporary: the server deletes it when it is no
// longer used.

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
  /** The event's position in the stream. */
  readonly sequence: number;
  readonly event: PublishedEvent;
}

const BATCH = 500;
const WAIT_MS = 2_000;
/** After this many attempts in a row without a message, the replay fails. A busy server may deliver nothing for a while. */
const FUTILE_ATTEMPTS = 5;
const FORGOTTEN_AFTER_MS = 30_000;

/**
 * Yields every event of the subjects in order, up to the last message that the stream has when the replay begins. An event that
 * was published twice is yielded twice.
 * @throws {Error} when the server has more messages and does not deliver them
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
      // The consumer's filter may be wider than the subjects, and a message may not be an event.
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
  /** The number of messages to read, counted when the consumer was created. */
  readonly pending: number;
  /** These messages in order. Ends early when one is missing, when none arrives for a while, or when the consumer is replaced. */
  readonly messages: AsyncIterable<Read>;
}

async function readFrom(
  start: number,
  streams: JetStreamManager,
  { connection, subjects, consumer: given }: ReplayOptions,
): Promise<Reading> {
  // An earlier replay may have left a consumer with this name.
  if (given !== undefined) await remove(streams, given);
  const filter = covering(subjects);
  const { name, num_pending: pending } = await streams.consumers.add(STREAM, {
    ...(given === undefined ? {} : { name: given }),
    filter_subject: filter,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: start,
    ack_policy: AckPolicy.None,
    inactive_threshold: nanos(FORGOTTEN_AFTER_MS),
  });
  const consumer = await jetstream(connection.nats).consumers.get(STREAM, name);
  return { pending, messages: messagesOf(consumer, pending, matcher([filter])) };
}

async function* messagesOf(
  consumer: Consumer,
  counted: number,
  matchesFilter: (subject: string) => boolean,
): AsyncGenerator<Read, void, undefined> {
  let pending = counted;
  for (let delivered = 0; pending > 0;) {
    // The server would wait if more messages were requested than there are.
    const batch = await fetched(consumer, Math.min(BATCH, pending));
    if (batch.length === 0) return;
    for (const { info, seq, subject, data } of batch) {
      // Another replay may have replaced the consumer by its own of the same name.
      if (info.deliverySequence !== ++delivered || !matchesFilter(subject)) return;
      pending = info.pending;
      yield { sequence: seq, subject, data };
    }
  }
}

/**
 * Waits for the whole batch before it is read. Until the last message of a batch is taken, the client expects a heartbeat of the
 * server each second, and a reader may need longer than that for one message.
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
