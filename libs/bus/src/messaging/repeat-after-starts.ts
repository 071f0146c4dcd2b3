// A killed process leaves its requests without a reply. Each process announces its start, so requests that may be repeated are sent
// again then, instead of waiting for their deadline.

import type { Subscription } from '@nats-io/transport-node';
import type { Connection } from './connection.js';
import type { Asked, InFlight } from './in-flight.js';
import { startedService, startedSubject } from './subjects.js';

interface Repeating {
  readonly connection: Connection;
  readonly inFlight: Pick<InFlight, 'repeat'>;
  readonly send: (subject: string, asked: Asked) => void;
}

/** Sends repeatable requests once more when a process of their service has started. */
export function repeatAfterStarts({ connection, inFlight, send }: Repeating): Subscription {
  return connection.nats.subscribe(startedSubject('*'), {
    callback: (error, { subject }) => {
      if (error) return connection.logger.error({ err: error }, 'starts of services cannot be received');
      const service = startedService(subject);
      const repeated = inFlight.repeat(service);
      for (const asked of repeated) send(asked.subject, asked);
      if (repeated.length > 0)
        connection.logger.info({ service, requests: repeated.length }, 'requests are sent again');
    },
  });
}
