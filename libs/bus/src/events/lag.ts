// The lag of each subscription behind the stream.

import type { ConsumerInfo } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Connection } from '../messaging/connection.js';
import { streamsOf, subscriptionOfConsumer } from './consumers.js';
import { STREAM } from './envelope.js';

/** The lag of every subscription, sorted by name. Needs a NATS user that may list consumers and read messages. */
export async function subscriptionLags(connection: Connection) {
  const streams = await streamsOf(connection);
  const lags: Awaited<ReturnType<typeof lagOf>>[] = [];
  for await (const info of streams.consumers.list(STREAM))
    if (info.config.durable_name !== undefined) lags.push(await lagOf(connection.nats, info));
  return lags.sort((one, other) => one.name.localeCompare(other.name));
}

async function lagOf(nats: NatsConnection, info: ConsumerInfo) {
  const isGrowing = info.config.description?.includes('"replaces"') === true;
  return {
    /** The subscription's name. It ends in `(added events)` while events that were added later are replayed. */
    name: subscriptionOfConsumer(info.name) + (isGrowing ? ' (added events)' : ''),
    /** Messages that are not delivered yet. */
    pending: info.num_pending,
    /** Messages that are delivered but not yet acknowledged. */
    unacknowledged: info.num_ack_pending,
    /** Unacknowledged messages that were delivered more than once. */
    redelivered: info.num_redelivered,
    /** When the oldest unhandled message was published; null if every message is handled. */
    oldest: info.num_pending + info.num_ack_pending === 0 ? null : await oldestAfter(nats, info),
    /** Whether a process serves it at present. */
    isServed: info.push_bound === true,
  };
}

/** The time of the first message of the consumer's subjects after its acknowledgement floor. */
async function oldestAfter(
  nats: NatsConnection,
  { ack_floor: floor, config }: ConsumerInfo,
): Promise<Date | null> {
  const wanted = { seq: floor.stream_seq + 1, next_by_subj: config.filter_subject };
  const answer = await nats.request(`$JS.API.STREAM.MSG.GET.${STREAM}`, JSON.stringify(wanted));
  const { message } = answer.json<{ message?: { time: string } }>();
  return message === undefined ? null : new Date(message.time);
}
