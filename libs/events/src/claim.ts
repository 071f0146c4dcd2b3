// Makes a durable consumer of the stream deliver to one process only. The server lets a consumer's deliver subject
// be changed only while nobody listens on the present one, so of several processes one is served; when it goes, or
// loses its connection, another can take over. On such a change the server delivers at once, in order and before
// anything new, all that was delivered but not acknowledged.

import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  ReplayPolicy,
} from '@nats-io/jetstream';
import type { ConsumerConfig, ConsumerInfo, JetStreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { STREAM } from './envelope.js';
import { covering } from './subjects.js';

export interface Claim {
  /** The consumer's durable name. */
  readonly name: string;
  readonly subjects: readonly string[];
  readonly start: 'first' | 'new';
  /** Deliveries that may be unacknowledged at the same time. */
  readonly window: number;
}

/** How often the server says that it is there while it has nothing to deliver. */
export const HEARTBEAT_MS = 5_000;
/** Milliseconds after which an unacknowledged delivery is repeated. */
export const ACK_WAIT_MS = 30_000;

/** "Consumer name already in use", "… exists and is still active", "… already exists": another process was first. */
const TAKEN = [10013, 10105, 10148];

/**
 * Makes the consumer, where it is new, and has it deliver to `inbox`.
 * @returns the consumer, or nothing while it serves another process
 * @throws {Error} when it exists for other subjects
 */
export async function claim(
  streams: JetStreamManager,
  wanted: Claim,
  inbox: string,
): Promise<ConsumerInfo | undefined> {
  const existing = await find(streams, wanted.name);
  try {
    if (existing === undefined) return await streams.consumers.add(STREAM, configOf(wanted, inbox));
    refuseOtherSubjects(existing.config, wanted);
    return await streams.consumers.update(STREAM, wanted.name, { deliver_subject: inbox });
  } catch (error) {
    if (error instanceof JetStreamApiError && TAKEN.includes(error.code)) return undefined;
    throw error;
  }
}

async function find(streams: JetStreamManager, name: string): Promise<ConsumerInfo | undefined> {
  try {
    return await streams.consumers.info(STREAM, name);
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.ConsumerNotFound)
      return undefined;
    throw error;
  }
}

function configOf({ name, subjects, start, window }: Claim, inbox: string): ConsumerConfig {
  return {
    durable_name: name,
    description: describe(subjects),
    filter_subject: covering(subjects),
    deliver_subject: inbox,
    deliver_policy: start === 'first' ? DeliverPolicy.All : DeliverPolicy.New,
    replay_policy: ReplayPolicy.Instant,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ACK_WAIT_MS),
    max_ack_pending: window,
    idle_heartbeat: nanos(HEARTBEAT_MS),
  };
}

/** A subscription that asks for more would have passed by what it never asked for, without anyone noticing. */
function refuseOtherSubjects(config: ConsumerConfig, { name, subjects }: Claim): void {
  if (config.description === describe(subjects)) return;
  throw new Error(
    `the subscription '${name}' was made for other subjects (${config.description}); ` +
      `give it a new name, under which it starts from the beginning`,
  );
}

function describe(subjects: readonly string[]): string {
  return [...subjects].sort().join(' ');
}
