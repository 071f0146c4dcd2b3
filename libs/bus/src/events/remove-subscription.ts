import type { Connection } from '../messaging/connection.js';
import { consumerNames, remove, streamsOf } from './consumers.js';

/** Deletes a subscription that is no longer used, with its position in the stream. */
export async function removeSubscription(connection: Connection, name: string): Promise<void> {
  const streams = await streamsOf(connection);
  for (const consumer of consumerNames(name)) await remove(streams, consumer);
}
