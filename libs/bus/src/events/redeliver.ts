import { DeliverPolicy } from '@nats-io/jetstream';
import type { Connection } from '../messaging/connection.js';
import { findConsumers, remove, streamsOf } from './consumers.js';
import { STREAM } from './envelope.js';

/**
 * Makes a subscription that no process serves begin again after a position, if later events were delivered. It does not compare the
 * first unacknowledged event: one that fails stays unacknowledged while later ones are acknowledged.
 * @param handled the subscriber has handled every event up to this sequence of this stream; null if it has handled none
 * @returns whether events will be delivered again
 */
export async function redeliverAfter(
  connection: Connection,
  name: string,
  handled: { readonly stream: string; readonly sequence: number } | null,
): Promise<boolean> {
  const streams = await streamsOf(connection);
  const { created } = await streams.streams.info(STREAM);
  const sequence = handled?.stream === created ? handled.sequence : 0;
  const consumers = await findConsumers(streams, name);
  const [main, ...others] = consumers.filter(({ delivered }) => delivered.stream_seq > sequence);
  if (main === undefined) return false;
  for (const { name: consumer } of consumers) await remove(streams, consumer);
  // A subscription that has two consumers because it grows gets all events again.
  if (others.length > 0 || consumers.length > 1) return true;
  const { opt_start_time: _, ...config } = main.config;
  const deliver_policy = DeliverPolicy.StartSequence;
  await streams.consumers.add(STREAM, { ...config, deliver_policy, opt_start_seq: sequence + 1 });
  return true;
}
