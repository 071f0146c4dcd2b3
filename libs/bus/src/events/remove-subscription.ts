import { jetstreamManager } from '@nats-io/jetstream';
import type { Connection } from '../messaging/connection.js';
import { consumerNames, remove } from './consumers.js';

/** Deletes a subscription that is no longer used: its position in the stream is forgotten. */
export async function removeSubscription({ nats }: Connection, name: string): Promise<void> {
  const streams = await jetstreamManager(nats, { checkAPI: false });
  for (const consumer of consumerNames(name)) await remove(streams, consumer);
}
