// All followers of a run: a subscriber of the bus, readers of the feed and of its streams, and receivers of webhooks.
import { join } from 'node:path';
import type { Stack } from '@practice/start';
import type { Practice } from '../load/practice.js';
import { SUBSCRIBER, type System } from '../system.js';
import { FEED_SERVICES, readFeeds } from './feed.js';
import type { Received } from './received.js';
import { startReceivers } from './receivers.js';
import { readStreams, type Reading } from './streams.js';
import { startSubscriber } from './subscriber.js';

export interface Followed {
  readonly follower: string;
  readonly received: Received;
  /** Services whose events it receives. All services if missing. */
  readonly services?: readonly string[];
  /** Whether each event must reach it only once. Other followers may receive an event again. */
  readonly isOnce?: boolean;
}

/**
 * Starts the followers of these practices.
 * @param folder where the subscriber logs
 * @throws when the subscription or a webhook is refused
 */
export async function followAll(
  { stack, wires }: Pick<System, 'wires'> & { readonly stack: Partial<Pick<Stack, 'natsUrl'>> },
  { practices, folder, ...reading }: Reading & { practices: readonly Practice[]; folder: string },
) {
  const bus = wires.get(SUBSCRIBER)?.url ?? stack.natsUrl?.('admin');
  // Containers reach no receiver on this machine either.
  const subscriber =
    bus === undefined ? undefined : await startSubscriber(bus, join(folder, 'subscriber.log'));
  const feeds = readFeeds(reading.api, practices, reading.journal);
  const streams = readStreams(practices, reading);
  const receivers = subscriber && (await startReceivers(practices, reading));
  const services = FEED_SERVICES;
  const followed: readonly Followed[] = [
    ...(subscriber ? [{ follower: 'subscriber', received: subscriber.received }] : []),
    { follower: 'reader of the feed', received: feeds.received, isOnce: true, services },
    { follower: 'reader of streams', received: streams.received, isOnce: true, services },
    ...(receivers ? [{ follower: 'receiver of webhooks', received: receivers.received, services }] : []),
  ];
  return {
    followed,
    /** Receivers accept every delivery from now on, so that they can catch up. */
    calm: () => receivers?.calm(),
    /** How often readers of streams and receivers of webhooks caused each trouble themselves. */
    disturbances: (): Readonly<Record<string, number>> => ({
      'connections of streams': streams.connections(),
      'refused streams': streams.refused(),
      ...receivers?.troubles,
    }),
    stop: async (): Promise<void> => {
      const all = [subscriber, feeds, streams, receivers];
      await Promise.all(all.flatMap((one) => one?.stop() ?? []));
    },
  };
}
