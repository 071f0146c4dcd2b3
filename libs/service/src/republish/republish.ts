// Publishes a log's events again: after the bus has lost them, or for a late reader. The service's relay waits in the meantime,
// so new events follow, and the order of each practice's events is kept.

import { logTable, readLog, waitForLeaderLock } from '@practice/event-store';
import type { Publish } from '@practice/event-store';
import type { RecordedEvent } from '@practice/core';
import type { Resource } from '@practice/resource';
import { Client } from 'pg';
import { publishable } from '../publish.js';

export interface RepublishInput {
  readonly service: string;
  /** Connection string of the service's relay role. */
  readonly url: string;
  readonly publish: Publish;
  /** The service's resources: they define which columns may leave it. */
  readonly resources: readonly Resource[];
  /** Only this practice. */
  readonly practice?: string;
  /** From this position of each practice, or from the first event recorded at this time or later; all events if left out. */
  readonly from?: { readonly position: number } | { readonly time: string };
}

export interface RepublishReport {
  readonly practices: number;
  readonly events: number;
}

/** Events per batch. */
const BATCH = 500;
const PRACTICES_AT_A_TIME = 4;

/**
 * Publishes the events again, in order within each practice. Consumers recognise by position the events that they have had.
 * @throws {Error} if the bus does not accept an event, or the relay does not release the leader lock
 */
export async function republish(input: RepublishInput): Promise<RepublishReport> {
  return connected(input, async (leader) => {
    await waitForLeaderLock(leader, input.service);
    const practices = await startsOf(leader, input);
    const waiting = practices.values();
    const work = (): Promise<number> =>
      connected(input, async (client) => {
        let events = 0;
        for (const start of waiting) events += await republishPractice(client, input, start);
        return events;
      });
    const counts = await Promise.all(Array.from({ length: PRACTICES_AT_A_TIME }, work));
    return { practices: practices.length, events: counts.reduce((sum, count) => sum + count, 0) };
  });
}

async function connected<T>(
  { service, url }: RepublishInput,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({
    connectionString: url,
    application_name: `${service} republish`,
    statement_timeout: 0,
  });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** The first position of a practice to publish. */
interface Start {
  readonly therapistId: string;
  readonly position: number;
}

async function startsOf(client: Client, { service, practice, from }: RepublishInput): Promise<Start[]> {
  const position = from !== undefined && 'position' in from ? from.position : null;
  const time = from !== undefined && 'time' in from ? from.time : null;
  const { rows } = await client.query<Start>(
    `SELECT therapist_id AS "therapistId", min(position)::float8 AS position FROM ${logTable(service, 'events')}
     WHERE ($1::uuid IS NULL OR therapist_id = $1) AND ($2::bigint IS NULL OR position >= $2)
       AND ($3::timestamptz IS NULL OR recorded_at >= $3)
     GROUP BY therapist_id ORDER BY therapist_id`,
    [practice ?? null, position, time],
  );
  return rows;
}

async function republishPractice(
  client: Client,
  { service, resources, publish }: RepublishInput,
  { therapistId, position }: Start,
): Promise<number> {
  let batch: RecordedEvent[] = [];
  let count = 0;
  const flush = async (): Promise<void> => {
    const acknowledged = await publish(batch);
    if (acknowledged.includes(false)) throw new Error('the bus does not accept the events');
    count += batch.length;
    batch = [];
  };
  for await (const event of readLog(client, { service, therapistId, after: position - 1 })) {
    batch.push(publishable(resources, event));
    if (batch.length === BATCH) await flush();
  }
  if (batch.length > 0) await flush();
  return count;
}
