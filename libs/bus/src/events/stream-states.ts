// The sizes of the streams of the bus.

import { DEAD_LETTER_STREAM, STREAM } from '@practice/contracts';
import type { Connection } from '../messaging/connection.js';
import { streamsOf } from './consumers.js';
import { letterSubjects } from './dead-letters.js';

/** The state of the stream of events and of the stream of dead letters. @throws {Error} when NATS does not answer */
export async function streamStates(connection: Connection) {
  const { streams } = await streamsOf(connection);
  return Promise.all(
    [STREAM, DEAD_LETTER_STREAM].map(async (stream) => {
      const { state, config } = await streams.info(stream);
      const { messages, bytes } = state;
      /** `mostBytes` is the size at which the oldest messages leave the stream; -1 without a limit. */
      return { stream, messages, bytes, mostBytes: config.max_bytes };
    }),
  );
}

/** The number of dead letters of each subscription that has dead letters. @throws {Error} when NATS does not answer */
export async function deadLetterCounts(connection: Connection): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const [subject, count] of Object.entries(await letterSubjects(connection))) {
    const subscription = subject.split('.')[2] ?? '';
    counts.set(subscription, (counts.get(subscription) ?? 0) + count);
  }
  return counts;
}
