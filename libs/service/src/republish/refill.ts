import { randomUUID } from 'node:crypto';
import type { RelayOptions } from '@practice/event-store';
import { createPublisher } from '@practice/events';
import type { Connection } from '@practice/messaging';
import type { Logger } from '@practice/process';
import type { Resource } from '@practice/resource';
import { observeRefill } from '../metrics/relay-metrics.js';
import { publishAgain } from './republish.js';

const reasons = {
  lost: 'the stream has lost events',
  'asked for': 'a subscriber needs events that have left the stream',
};

export interface RefillParts {
  readonly connection: Connection;
  readonly logger: Logger;
  /** Connection string of the relay role. */
  readonly url: string;
  readonly resources: readonly Resource[];
}

/** Publishes the log again. A subscriber that asked begins behind the present end of the stream, so it needs each event once more. */
export const refillOf =
  (service: string, { connection, logger, url, resources }: RefillParts): RelayOptions['refill'] =>
  async ({ since, why, stopping }) => {
    const from = since === null ? {} : { from: { time: since } };
    observeRefill(why);
    logger[why === 'lost' ? 'error' : 'info'](
      { since },
      `${reasons[why]}; they are published again from the log`,
    );
    const { publish } = createPublisher({ connection, service, again: randomUUID() });
    const input = { service, url, publish, resources, stopping, ...from };
    const { events, practices, last } = await publishAgain(input);
    logger[why === 'lost' ? 'warn' : 'info']({ events, practices }, 'the events are in the stream again');
    return last;
  };
