// The lag of each subscription behind the stream.

import type { ConsumerInfo } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Connection } from '../messaging/connection.js';
import { streamsOf, subscriptionOfConsumer } from './consumers.js';
import { STREAM } from './envelope.js';

export interface SubscriptionLag {
  /** The subscription's name. It ends in `(added events)` while events that were added later are replayed. */
  readonly name: string;
  /** Messages that are not delivered yet. */
  readonly pending: number;
  /** Messages that are delivered but not yet acknowledged. */
  readonly unacknowledged: number;
  /** Unacknowledged messages that were delivered more than once. */
  readonly redelivered: number;
  /** When the oldest unhandled message was published; null if every message is handled. */
  readonly oldest: Date | null;
  /** Whether a process serves it at present. */
  readonly isServed: boolean;
}

/** The lag of every subscription, sorted by name. Needs a NATS user that may list consumers and read messages. */
export async function subscriptionLags(connection: Connection): Promise<SubscriptionLag[]> {
  const streams = await streamsOf(connection);
  const lags: SubscriptionLag[] = [];
  for await (const info of streams.consumers.list(STREAM))
    if (info.config.durable_name !== undefined) lags.push(await lagOf(connection.nats, info));
  return lags.sort((one, other) => one.name.localeCompare(other.name));
}

async function lagOf(nats: NatsConnection, info: ConsumerInfo): Promise<SubscriptionLag> {
  const isGrowing = info.config.description?.includes('"replaces"') === true;
  return {
    name: subscriptionOfConsumer(info.name) + (isGrowing ? ' (added events)' : ''),
    pending: info.num_pending,
    unacknowledged: info.num_ack_pending,
    redelivered: info.num_redelivered,
    oldest: info.num_pending + info.num_ack_pending === 0 ? null : await oldestAfter(nats, info),
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
