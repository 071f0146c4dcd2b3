// How far a mirror has followed each subscription, noted beside the mirror: JetStream's own position stays where it is when an
// older copy of the database is restored.

import { schemaOf } from '@practice/core';
import type { Statement } from '@practice/event-store';
import { rewind } from '@practice/events';
import type { Progress } from '@practice/events';
import type { Connection } from '@practice/messaging';
import type { Client } from 'pg';

const followed = (service: string): string => `"${schemaOf(service)}".followed`;

/** DDL of the table. */
export const followedTable = (service: string): string[] => [
  `CREATE TABLE ${followed(service)} (
      subscription text NOT NULL,
      stream text NOT NULL,
      sequence bigint NOT NULL,
      CONSTRAINT followed_pkey PRIMARY KEY (subscription)
    )`,
  `GRANT SELECT, INSERT, UPDATE ON ${followed(service)} TO "${schemaOf(service)}_relay"`,
];

/** Notes that the mirror has every event of a subscription up to a sequence. The progress must be older than the statement. */
export const noteFollowed = (
  service: string,
  subscription: string,
  { stream, handled }: Pick<Progress, 'stream' | 'handled'>,
): Statement => ({
  text: `INSERT INTO ${followed(service)} AS f (subscription, stream, sequence) VALUES ($1, $2, $3)
ON CONFLICT (subscription) DO UPDATE SET stream = excluded.stream, sequence = excluded.sequence
WHERE (f.stream, f.sequence) IS DISTINCT FROM (excluded.stream, excluded.sequence)`,
  values: [subscription, stream, handled],
});

/**
 * Has events delivered again that JetStream counts as handled, and the mirror does not have.
 * @returns the names of the subscriptions
 */
export async function rewindFollowers(
  client: Client,
  service: string,
  { connection, names }: { readonly connection: Connection; readonly names: readonly string[] },
): Promise<string[]> {
  if (names.length === 0) return [];
  const { rows } = await client.query<{ subscription: string; stream: string; sequence: number }>(
    `SELECT subscription, stream, sequence::float8 AS sequence FROM ${followed(service)}`,
  );
  const rewound: string[] = [];
  for (const name of names) {
    const noted = rows.find(({ subscription }) => subscription === name);
    if (await rewind(connection, name, noted ?? null)) rewound.push(name);
  }
  return rewound;
}
