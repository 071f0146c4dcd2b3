// The streams of the bus as metrics. Only the administrator may see all of them.
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { DEAD_LETTER_STREAM, STREAM } from '@practice/contracts';
import { beforeScrape, gauge } from '@practice/metrics';
import { openConnection } from '../nats/stream.js';

const messages = gauge('practice_stream_messages');
const bytes = gauge('practice_stream_bytes');
const deadLetters = gauge('practice_dead_letters');

/**
 * Reads the streams at each scrape.
 * @param url of the administrator
 * @returns a function that ends this
 */
export function measureStreams(url: string): () => Promise<void> {
  let connection: Promise<NatsConnection> | undefined;
  const close = async (): Promise<void> => {
    const closing = connection;
    connection = undefined;
    await closing?.then(
      (open) => open.close(),
      () => undefined,
    );
  };
  const forget = beforeScrape(
    ['practice_stream_messages', 'practice_stream_bytes', 'practice_dead_letters'],
    async () => {
      try {
        const streams = await jetstreamManager(await (connection ??= openConnection(url)), {
          checkAPI: false,
        });
        await Promise.all([read(streams), readLetters(streams)]);
      } catch (error) {
        await close();
        throw error;
      }
    },
  );
  return async () => {
    forget();
    await close();
  };
}

async function read({ streams }: JetStreamManager): Promise<void> {
  for (const stream of [STREAM, DEAD_LETTER_STREAM]) {
    const { state } = await streams.info(stream);
    messages.set({ stream }, state.messages);
    bytes.set({ stream }, state.bytes);
  }
}

/** The third token of a letter's subject is its subscription. */
async function readLetters({ streams }: JetStreamManager): Promise<void> {
  const { state } = await streams.info(DEAD_LETTER_STREAM, {
    subjects_filter: 'practice.dead-letters.*.letter.*',
  });
  for (const [subject, count] of Object.entries(state.subjects ?? {}))
    deadLetters.inc({ subscription: subject.split('.')[2] ?? '' }, count);
}
