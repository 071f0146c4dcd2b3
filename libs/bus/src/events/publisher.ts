// Publishes the events of a service's log on the bus.

import { jetstream, type JetStreamClient, PubHeaders } from '@nats-io/jetstream';
import { headers, type Msg } from '@nats-io/transport-node';
import type { StreamKeeping } from '@practice/contracts';
import { grouped, type RecordedEvent } from '@practice/core';
import type { Connection } from '../messaging/connection.js';
import { streamsOf } from './consumers.js';
import { eventStream, type StoredMessage } from './event-stream.js';
import { CONTENT_TYPE, STREAM, subjectOf, toCloudEvent } from './envelope.js';

export interface PublisherOptions {
  readonly connection: Connection;
  /** The service that owns the events. */
  readonly service: string;
  /** How the stream keeps its messages if this publisher creates it. The default is for ever, on one server. */
  readonly keeping?: StreamKeeping;
  /** A suffix of the message ids. With a new suffix, the stream stores events again that it has already stored. */
  readonly again?: string;
}

export type Publisher = ReturnType<typeof createPublisher>;

const FOR_EVER: StreamKeeping = { maxAgeDays: 0, maxBytes: 0, replicas: 1 };

/** Creates a publisher on an open connection. The publisher need not be closed. */
export function createPublisher(options: PublisherOptions) {
  const { connection, service, keeping = FOR_EVER, again } = options;
  const stream = eventStream(connection, { service, keeping });
  const client = jetstream(connection.nats);
  return {
    ...stream,
    interruptions: connection.interruptions,
    /**
     * Publishes events. The events of a practice are published one after the other, so no event overtakes an earlier one that failed.
     * The server recognises an event of the last two minutes by its id and does not store it twice.
     * @returns for each event its message, or null if the stream did not acknowledge it; publish the null ones again, in the same order
     */
    async publish(events: readonly RecordedEvent[]): Promise<readonly (StoredMessage | null)[]> {
      const acknowledged: (StoredMessage | null)[] = events.map(() => null);
      const id = await stream.id().catch((err: unknown) => {
        connection.logger.warn({ err, service }, 'the stream of events cannot be used');
        return undefined;
      });
      if (id === undefined) return acknowledged;
      const to: Target = { client, service, again, holds: contents(connection) };
      const byPractice = grouped(events.map(({ therapistId }, index) => [therapistId, index]));
      const outcomes = await Promise.allSettled(
        [...byPractice.values()].map(async (indexes) => {
          for (const index of indexes) {
            const event = events[index] as RecordedEvent;
            const sequence = await publishOne(to, event);
            acknowledged[index] = { stream: id, sequence, eventId: event.metadata.eventId };
          }
        }),
      );
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed !== undefined)
        connection.logger.warn({ err: failed.reason, service }, 'events could not be published');
      return acknowledged;
    },
  };
}

/** The end of the ids of messages that repeat events, before the suffix of the publisher. */
const AGAIN = ' again ';

/**
 * Whether a message repeats an event that was published before, because the stream has lost the event or a subscriber needs it. A
 * listener that does not read the stream has received the event then, or has lost its connection.
 */
export const isPublishedAgain = ({ headers }: Pick<Msg, 'headers'>): boolean =>
  headers?.get(PubHeaders.MsgIdHdr).includes(AGAIN) === true;

interface Target {
  readonly client: JetStreamClient;
  readonly service: string;
  readonly again: string | undefined;
  /** Whether the stream still has the message with this sequence. */
  readonly holds: (sequence: number) => Promise<boolean>;
}

/** Publishes an event. @returns the sequence of its message */
async function publishOne({ client, service, again, holds }: Target, event: RecordedEvent): Promise<number> {
  const { type, aggregate, therapistId, metadata } = event;
  const subject = subjectOf({ service, therapistId, aggregate, type });
  const text = JSON.stringify(toCloudEvent(service, event));
  const { eventId } = metadata;
  const id = again === undefined ? eventId : eventId + AGAIN + again;
  // The server remembers an id for two minutes, even after the message was deleted. The event then needs a new id, perhaps repeatedly.
  for (let messageId: string = id; ;) {
    // The NATS binding of CloudEvents requires the content type in structured mode.
    const fields = headers();
    fields.set('content-type', CONTENT_TYPE);
    const { duplicate, seq } = await client.publish(subject, text, {
      msgID: messageId,
      expect: { streamName: STREAM },
      headers: fields,
    });
    if (!duplicate || (await holds(seq))) return seq;
    messageId = `${id} instead of ${seq}`;
  }
}

/** A function that reports whether the stream has a sequence. It reads the stream's state once, on the first call. */
function contents(connection: Connection): Target['holds'] {
  let looked: Promise<{ first: number; deleted: ReadonlySet<number> }> | undefined;
  const look = async () => {
    const streams = await streamsOf(connection);
    const { state } = await streams.streams.info(STREAM, { deleted_details: true });
    return { first: state.first_seq, deleted: new Set(state.deleted ?? []) };
  };
  return async (sequence) => {
    const { first, deleted } = await (looked ??= look());
    return sequence >= first && !deleted.has(sequence);
  };
}
