// The streams of the bus. Each process of a service exports the same values.

import { deadLetterCounts, streamStates, type Connection } from '@practice/bus';
import { beforeScrape, gauge } from '@practice/metrics';

const sent = gauge('practice_stream_messages');
const size = gauge('practice_stream_bytes');
const most = gauge('practice_stream_most_bytes');
const deadLetters = gauge('practice_dead_letters');

/** Reads the streams at each scrape. */
export function measureStreams(connection: Connection): void {
  beforeScrape([sent, size, most], async () => {
    for (const { stream, messages, bytes, mostBytes } of await streamStates(connection)) {
      sent.set({ stream }, messages);
      size.set({ stream }, bytes);
      if (mostBytes > 0) most.set({ stream }, mostBytes);
    }
  });
  beforeScrape([deadLetters], async () => {
    for (const [subscription, count] of await deadLetterCounts(connection))
      deadLetters.set({ subscription }, count);
  });
}
