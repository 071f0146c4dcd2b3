// The stream of events, from the view of its publishers.

import {
  AckPolicy,
  DeliverPolicy,
  jetstream,
  JetStreamApiCodes,
  JetStreamApiError,
} from '@nats-io/jetstream';
import type { StreamConfig, StreamInfo } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { eventStreamConfig, type StreamKeeping } from '@practice/contracts';
import type { Connection } from '../messaging/connection.js';
import { remove, streamsOf } from './consumers.js';
import { STREAM, subjectOf } from './envelope.js';

/** A message of the stream. */
export interface StoredMessage {
  /** Identifies the stream. It changes when the stream is deleted and created again. */
  readonly stream: string;
  readonly sequence: number;
  readonly eventId: string;
}

/** The name of the temporary consumer that looks for a message of a service. */
const publishedConsumer = (service: string): string => `${service}~published`;

const WAIT_MS = 2_000;
const FORGOTTEN_AFTER_MS = 10_000;

export function eventStream(
  connection: Connection,
  { service, keeping }: { readonly service: string; readonly keeping: StreamKeeping },
) {
  let known: string | undefined;
  const look = async (): Promise<StreamInfo> => {
    const { streams } = await streamsOf(connection);
    const info = await streams.info(STREAM);
    known = info.created;
    return info;
  };
  return {
    /** Creates the stream if it does not exist. */
    async prepare(): Promise<void> {
      try {
        await look();
      } catch (error) {
        if (!(error instanceof JetStreamApiError) || error.code !== JetStreamApiCodes.StreamNotFound)
          throw error;
        connection.logger.error({ stream: STREAM }, 'the stream of events is gone and is made again');
        // Another service may create it at the same time. The server accepts the same configuration twice.
        const { streams } = await streamsOf(connection);
        await streams.add({ ...(eventStreamConfig(keeping) as unknown as StreamConfig), name: STREAM });
        await look();
      }
    },
    /** Identifies the stream. The value is the one last read by `prepare`, `holds` or the first call of `id`. */
    id: async (): Promise<string> => known ?? (await look()).created,
    /**
     * Whether the stream has a message of this service, or had it until the message expired.
     * @param message whose `eventId` is null if it was deleted on purpose: only its sequence is checked
     */
    async holds(
      message: Omit<StoredMessage, 'eventId'> & { readonly eventId: string | null },
    ): Promise<boolean> {
      const { stream, sequence, eventId } = message;
      const { created, state } = await look();
      if (created !== stream || state.last_seq < sequence) return false;
      if (eventId === null || sequence < state.first_seq) return true;
      return (await eventAt(connection, service, sequence)) === eventId;
    },
  };
}

/** The id of the service's event at this sequence; undefined if the stream has none there. */
async function eventAt(
  connection: Connection,
  service: string,
  sequence: number,
): Promise<string | undefined> {
  const streams = await streamsOf(connection);
  const name = publishedConsumer(service);
  await remove(streams, name);
  const { num_pending: pending } = await streams.consumers.add(STREAM, {
    name,
    filter_subject: subjectOf({ service }),
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: sequence,
    ack_policy: AckPolicy.None,
    inactive_threshold: nanos(FORGOTTEN_AFTER_MS),
  });
  if (pending === 0) return undefined;
  const consumer = await jetstream(connection.nats).consumers.get(STREAM, name);
  const message = await consumer.next({ expires: WAIT_MS });
  await remove(streams, name);
  if (message === null) throw new Error('the stream did not deliver a message that it has');
  return message.seq === sequence ? message.json<{ id?: string }>().id : undefined;
}
