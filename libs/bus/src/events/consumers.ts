// The durable JetStream consumers of a subscription. Usually there is only one, with the subscription's name. While a subscription
// grows, there are two: the main consumer goes on with the old subjects, and the next consumer replays the added subjects from the
// beginning. When the next consumer has caught up, it replaces the main one (join.ts).

import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  jetstreamManager,
  ReplayPolicy,
} from '@nats-io/jetstream';
import type { ConsumerConfig, ConsumerInfo, JetStreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Connection } from '../messaging/connection.js';
import { STREAM } from './envelope.js';
import { covering, matches } from './subjects.js';

/** Where a new subscription, or a subject added to one, begins. */
export type Start = 'first' | 'new' | { readonly sequence: number } | { readonly time: Date | string };

/** A subscription as its subscriber wants it. */
export interface Wanted {
  readonly name: string;
  /** The subjects it takes: patterns of six tokens. */
  readonly takes: readonly string[];
  readonly start: Start;
  /** The maximum number of unacknowledged deliveries. */
  readonly window: number;
}

export interface Consumer {
  readonly name: string;
  readonly takes: readonly string[];
  /** The configuration for creating the consumer; absent when it exists. */
  readonly create?: ConsumerConfig;
  /** The state of the consumer; absent when it does not exist. */
  readonly info?: ConsumerInfo;
}

export interface Consumers {
  readonly main: Consumer;
  /** The consumer that replays the added subjects. */
  readonly next?: Consumer;
}

/** How often the server sends a heartbeat while it has nothing to deliver. */
export const HEARTBEAT_MS = 5_000;
/** Milliseconds after which an unacknowledged delivery is repeated. */
export const ACK_WAIT_MS = 30_000;

/** JetStream's streams and consumers on an open connection. It sends nothing: it does not check that the server has JetStream. */
export const streamsOf = ({ nats }: Connection): Promise<JetStreamManager> =>
  jetstreamManager(nats, { checkAPI: false });

/** The names that a subscription's consumers can have. A replacement takes the other name. */
export const consumerNames = (subscription: string): [string, string] => [subscription, `${subscription}~2`];

/** The subscription that a consumer belongs to. */
export const subscriptionOfConsumer = (consumer: string): string => consumer.replace(/~2$/, '');

/** The existing consumers of a subscription. */
export async function findConsumers(streams: JetStreamManager, name: string): Promise<ConsumerInfo[]> {
  const found = await Promise.all(consumerNames(name).map((one) => find(streams, one)));
  return found.filter((info) => info !== undefined);
}

/** Decides which consumers serve a subscription, and deletes its other consumers. */
export async function planConsumers(streams: JetStreamManager, wanted: Wanted): Promise<Consumers> {
  const found = (await findConsumers(streams, wanted.name)).map((info) => ({ info, ...purposeOf(info) }));
  const [main, ...replaced] = found
    .filter(({ replaces }) => replaces === undefined)
    .sort((one, other) => Date.parse(other.info.created) - Date.parse(one.info.created));
  const growing = found.find(({ replaces }) => replaces !== undefined);
  const isSame = growing !== undefined && main !== undefined && isEqual(growing.takes, wanted.takes);
  const obsolete = [...replaced, ...(growing === undefined || isSame ? [] : [growing])];
  for (const { info } of obsolete) await remove(streams, info.name);

  if (main === undefined)
    return { main: { name: wanted.name, takes: wanted.takes, create: configOf(wanted.name, wanted) } };
  if (wanted.takes.every((pattern) => main.takes.some((known) => matches(known, pattern)))) {
    if (isSame) await remove(streams, growing.info.name);
    return { main: { ...existing(main.info), takes: wanted.takes } };
  }
  const existingMain = { ...existing(main.info), takes: main.takes };
  if (isSame) return { main: existingMain, next: { ...existing(growing.info), takes: wanted.takes } };
  const name = consumerNames(wanted.name).find((one) => one !== main.info.name) as string;
  const create = configOf(name, wanted, main.info.name);
  return { main: existingMain, next: { name, takes: wanted.takes, create } };
}

const existing = (info: ConsumerInfo): Pick<Consumer, 'name' | 'info'> => ({ name: info.name, info });

/** Deletes a consumer, if it exists. */
export async function remove(streams: JetStreamManager, name: string): Promise<void> {
  await ifFound(streams.consumers.delete(STREAM, name));
}

/** Deletes a subscription that is no longer used, with its position in the stream. */
export async function removeSubscription(connection: Connection, name: string): Promise<void> {
  const streams = await streamsOf(connection);
  for (const consumer of consumerNames(name)) await remove(streams, consumer);
}

const find = (streams: JetStreamManager, name: string): Promise<ConsumerInfo | undefined> =>
  ifFound(streams.consumers.info(STREAM, name));

/** nats-server's error codes for a subject without a message, and for a sequence without a message. */
const [NO_MESSAGE_FOUND, SEQUENCE_NOT_FOUND] = [10037, 10043];
const NOT_FOUND: readonly number[] = [
  ...[JetStreamApiCodes.ConsumerNotFound, NO_MESSAGE_FOUND, SEQUENCE_NOT_FOUND],
];

/** The answer about a consumer or a message; undefined if it does not exist. */
export async function ifFound<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof JetStreamApiError && NOT_FOUND.includes(error.code)) return undefined;
    throw error;
  }
}

const isEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((pattern) => other.includes(pattern));

/** A consumer's purpose. It is stored as JSON in the description, since servers before 2.10 have no metadata. */
interface Purpose {
  readonly takes: readonly string[];
  /** The main consumer that this one will replace. */
  readonly replaces?: string;
}

/** The maximum length of a description in bytes, as set by the server. */
const LONGEST_DESCRIPTION = 4_096;

export function describe(takes: readonly string[], replaces?: string): string {
  const purpose: Purpose = { takes: [...takes].sort(), ...(replaces === undefined ? {} : { replaces }) };
  const text = JSON.stringify(purpose);
  if (text.length > LONGEST_DESCRIPTION)
    throw new Error(
      'a subscription cannot list so many event types or subjects; use wildcards in `subjects`',
    );
  return text;
}

function purposeOf({ name, config }: ConsumerInfo): Purpose {
  try {
    const purpose = JSON.parse(config.description ?? '') as Purpose;
    if (Array.isArray(purpose.takes)) return purpose;
  } catch {
    // Reported below.
  }
  throw new Error(`the consumer '${name}' of ${STREAM} was not created by @practice/bus; use another name`);
}

function configOf(name: string, { takes, start, window }: Wanted, replaces?: string): ConsumerConfig {
  return {
    durable_name: name,
    description: describe(takes, replaces),
    filter_subject: covering(takes),
    ...startOf(start),
    replay_policy: ReplayPolicy.Instant,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ACK_WAIT_MS),
    max_ack_pending: window,
    idle_heartbeat: nanos(HEARTBEAT_MS),
  };
}

function startOf(start: Start): Pick<ConsumerConfig, 'deliver_policy' | 'opt_start_seq' | 'opt_start_time'> {
  if (start === 'first') return { deliver_policy: DeliverPolicy.All };
  if (start === 'new') return { deliver_policy: DeliverPolicy.New };
  if ('sequence' in start)
    return { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: start.sequence };
  const time = new Date(start.time).toISOString();
  return { deliver_policy: DeliverPolicy.StartTime, opt_start_time: time };
}
