// Puts events of a service's log on the bus.

import { jetstream } from '@nats-io/jetstream';
import type { JetStreamClient } from '@nats-io/jetstream';
import type { RecordedEvent } from '@practice/core';
import type { Connection } from '@practice/messaging';
import { STREAM, subjectOf, toCloudEvent } from './envelope.js';

export interface PublisherOptions {
  readonly connection: Connection;
  /** The service whose events these are. */
  readonly service: string;
  /** How long an acknowledgement may take. */
  readonly timeoutMs?: number;
}

export interface Publisher {
  /**
   * Publishes events, those of one practice one behind the other, so that none can overtake an earlier one that failed.
   * An event that was published before is recognised by its id and counts as acknowledged.
   * @returns for each event whether the stream holds it; the others are to be published again, in the same order
   */
  publish(events: readonly RecordedEvent[]): Promise<readonly boolean[]>;
}

/** A publisher on an open connection; it needs no closing of its own. */
export function createPublisher({ connection, service, timeoutMs = 5_000 }: PublisherOptions): Publisher {
  const stream = jetstream(connection.nats, { timeout: timeoutMs });
  return {
    async publish(events) {
      const acknowledged = events.map(() => false);
      const errors = await Promise.all(
        practicesOf(events).map(async (indexes) => {
          try {
            for (const index of indexes) {
              await publishOne(stream, service, events[index] as RecordedEvent);
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

async function publishOne(stream: JetStreamClient, service: string, event: RecordedEvent): Promise<void> {
  await stream.publish(subjectOf(service, event), JSON.stringify(toCloudEvent(service, event)), {
    msgID: event.metadata.eventId,
    expect: { streamName: STREAM },
  });
}
