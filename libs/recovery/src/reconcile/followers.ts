import { redeliverAfter, type Connection } from '@practice/bus';
import type { Client } from 'pg';
import { followedOf } from '@practice/storage';

/**
 * Makes JetStream deliver again the events that it counts as handled but the mirror does not have.
 * @returns the names of the subscriptions that get events again
 */
export async function redeliverToFollowers(
  client: Client,
  service: string,
  { connection, names }: { readonly connection: Connection; readonly names: readonly string[] },
): Promise<string[]> {
  if (names.length === 0) return [];
  const { rows } = await client.query<{ subscription: string; stream: string; sequence: number }>(
    `SELECT subscription, stream, sequence::float8 AS sequence FROM ${followedOf(service)}`,
  );
  const behind: string[] = [];
  for (const name of names) {
    const noted = rows.find(({ subscription }) => subscription === name);
    if (await redeliverAfter(connection, name, noted ?? null)) behind.push(name);
  }
  return behind;
}
