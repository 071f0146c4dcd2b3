// Publishes events of a service's log on the bus.

import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { JetStreamClient } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import type { MsgHdrs } from '@nats-io/transport-node';
import type { RecordedEvent } from '@practice/core';
import type { Connection } from '@practice/messaging';
import { CONTENT_TYPE, STREAM, subjectOf, toCloudEvent } from './envelope.js';

export interface PublisherOptions {
  readonly connection: Connection;
  /** The service whose events these are. */
  readonly service: string;
  /** How long an acknowledgement may take. */
  readonly timeoutMs?: number;
}

export interface Publisher {
  /**
   * Publishes events. Events of one practice are published one after the other, so none overtakes an earlier one that failed.
   * The server recognises an event of the last two minutes by its id and does not store it twice.
   * @returns for each event whether the stream holds it; publish the others again, in the same order
   */
  publish(events: readonly RecordedEvent[]): Promise<readonly boolean[]>;
}

/** Makes a publisher on an open connection. It needs no closing. */
export function createPublisher({ connection, service, timeoutMs = 5_000 }: PublisherOptions): Publisher {
  const stream = jetstream(connection.nats, { timeout: timeoutMs });
  return {
    async publish(events) {
      const to: Target = { stream, service, holds: contents(connection) };
      const acknowledged = events.map(() => false);
      const errors = await Promise.all(
        practicesOf(events).map(async (indexes) => {
          try {
            for (const index of indexes) {
              await publishOne(to, events[index] as RecordedEvent);
              acknowledged[index] = true;
            }
            return undefined;
          } catch (error) {
            return error;
          }
        }),
      );
      const err = errors.find((error) => error !== undefined);
      if (err !== undefined) connection.logger.warn({ err, service }, 'events could not be published');
      return acknowledged;
    },
  };
}

/** The indexes of each practice's events, in order. */
function practicesOf(events: readonly RecordedEvent[]): number[][] {
  const practices = new Map<string, number[]>();
  events.forEach(({ therapistId }, index) => {
    const indexes = practices.get(therapistId);
    if (indexes === undefined) practices.set(therapistId, [index]);
    else indexes.push(index);
  });
  return [...practices.values()];
}

interface Target {
  readonly stream: JetStreamClient;
  readonly service: string;
  /** Whether the stream still has the message of this sequence. */
  readonly holds: (sequence: number) => Promise<boolean>;
}

async function publishOne({ stream, service, holds }: Target, event: RecordedEvent): Promise<void> {
  const subject = subjectOf({ ...event, service });
  const text = JSON.stringify(toCloudEvent(service, event));
  const id = event.metadata.eventId;
  const send = (msgID: string) =>
    stream.publish(subject, text, { msgID, expect: { streamName: STREAM }, headers: contentType() });
  const { duplicate, seq } = await send(id);
  // The server remembers an id for two minutes, even if the message has been purged since.
  if (duplicate && !(await holds(seq))) await send(`${id} instead of ${seq}`);
}

/** The header of CloudEvents' NATS binding for structured mode. The client adds to the object, so each message has its own. */
function contentType(): MsgHdrs {
  const fields = headers();
  fields.set('content-type', CONTENT_TYPE);
  return fields;
}

/** Looks the stream up on the first call. */
function contents({ nats }: Connection): Target['holds'] {
  let looked: Promise<{ first: number; deleted: ReadonlySet<number> }> | undefined;
  const look = async () => {
    const streams = await jetstreamManager(nats, { checkAPI: false });
    const { state } = await streams.streams.info(STREAM, { deleted_details: true });
    return { first: state.first_seq, deleted: new Set(state.deleted ?? []) };
  };
  return async (sequence) => {
    const { first, deleted } = await (looked ??= look());
    return sequence >= first && !deleted.has(sequence);
  };
}
