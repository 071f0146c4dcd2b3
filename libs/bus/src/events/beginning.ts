// Decides where the consumers of a subscription begin. If the next event of a consumer may have left the stream, the owners publish
// their events again, and the consumer begins there. The events then come in order, and repetitions are recognised as always.

import { DeliverPolicy } from '@nats-io/jetstream';
import type { ConsumerConfig, ConsumerInfo, JetStreamManager, StreamInfo } from '@nats-io/jetstream';
import type { Connection } from '../messaging/connection.js';
import { remove, type Consumer, type Consumers } from './consumers.js';
import { STREAM } from './envelope.js';
import { askForPast, isTrimmed, ownersOf } from './past.js';

export interface Stage {
  readonly connection: Connection;
  readonly streams: JetStreamManager;
}

/**
 * The same consumers. A consumer that needs events that have left the stream begins where the owners publish them again.
 * @throws {OwnerUnavailable} when the owner of these events cannot be asked now
 */
export async function withPast(stage: Stage, { main, next }: Consumers): Promise<Consumers> {
  // This function runs every second for a subscription that another process serves, so it does nothing more then.
  if (main.info?.push_bound === true && next?.create === undefined) return { main, ...(next && { next }) };
  const stream = await stage.streams.streams.info(STREAM);
  const begun = await begin(stage, main, stream);
  return { main: begun, ...(next && { next: await begin(stage, next, stream) }) };
}

async function begin(stage: Stage, consumer: Consumer, stream: StreamInfo): Promise<Consumer> {
  if (!isTrimmed(stream) || !needsMore(consumer, stream) || ownersOf(consumer.takes).length === 0)
    return consumer;
  const { name, takes, info, create } = consumer;
  const config = create ?? configIn(info as ConsumerInfo);
  const { opt_start_time: since, ...others } = config;
  stage.connection.logger.info(
    { consumer: name },
    'events that have left the stream are requested from their service',
  );
  const { after } = await askForPast(stage.connection, takes, info === undefined ? (since ?? null) : null);
  if (info !== undefined) await remove(stage.streams, name);
  const deliver_policy = DeliverPolicy.StartSequence;
  return { name, takes, create: { ...others, deliver_policy, opt_start_seq: after + 1 } };
}

/** Whether the next message of a consumer may have left the stream. */
function needsMore({ info, create }: Consumer, { state }: StreamInfo): boolean {
  if (info !== undefined) return info.push_bound !== true && nextOf(info) < state.first_seq;
  switch (create?.deliver_policy) {
    case DeliverPolicy.New:
      return false;
    case DeliverPolicy.StartTime:
      return Date.parse(create.opt_start_time ?? '') < Date.parse(state.first_ts);
    default:
      return (create?.opt_start_seq ?? 1) < state.first_seq;
  }
}

/** The first sequence that a consumer has not handled, or a lower one if it has nothing to handle. */
const nextOf = ({ ack_floor: floor, config }: ConsumerInfo): number =>
  Math.max(floor.stream_seq + 1, config.opt_start_seq ?? 0);

/** The configuration with which a consumer was created. */
function configIn({ config }: ConsumerInfo): ConsumerConfig {
  const { deliver_subject: _, ...made } = config;
  return made;
}
