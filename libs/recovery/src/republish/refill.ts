import { randomUUID } from 'node:crypto';
import type { RefillParts, RefillReason } from '@practice/log';
import { createPublisher, type Connection } from '@practice/bus';
import { counter } from '@practice/metrics';
import type { Logger } from '@practice/process';
import type { Resource } from '@practice/resource';
import { eventsAgain } from './events-again.js';

const refills = counter('practice_relay_refills_total');
// Set to 0 at the start, so that the first refill is an increase.
for (const reason of ['lost', 'asked']) refills.inc({ reason }, 0);

const lines: Readonly<Record<RefillReason, readonly ['error' | 'info', string]>> = {
  lost: ['error', 'the stream has lost events; they are published again from the log'],
  'asked for': [
    'info',
    'a subscriber needs events that have left the stream; they are published again from the log',
  ],
  continued: ['info', 'the publishing of older events has resumed'],
};

export interface RefillInput {
  readonly connection: Connection;
  readonly logger: Logger;
  readonly resources: readonly Resource[];
}

/** Publishes the log again. A subscriber that asked begins after the present end of the stream, so it needs every event once more. */
export const refillOf = (service: string, { connection, logger, resources }: RefillInput): RefillParts => ({
  begin(why, since) {
    if (why !== 'continued') refills.inc({ reason: why === 'lost' ? 'lost' : 'asked' });
    const [level, line] = lines[why];
    logger[level]({ since }, line);
    return createPublisher({ connection, service, again: randomUUID() }).publish;
  },
  eventsOf: (part) => eventsAgain(service, resources, part),
  done: (events) => logger.info({ events }, 'the events are in the stream again'),
});
