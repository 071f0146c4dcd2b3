// Publishes a log's events again: after the bus has lost them, or for a late reader. The service's relay waits in the meantime,
// so new events follow, and the order of each practice's events is kept.

import { latestOf, logTable, readLog, restorationsOf, waitForLeaderLock } from '@practice/event-store';
import type { Publish, PublishedMessage, Restoration } from '@practice/event-store';
import type { RecordedEvent } from '@practice/core';
import type { Resource } from '@practice/resource';
import { aggregatesOf } from '@practice/contracts';
import { Client } from 'pg';
import { publishable } from '../publish.js';
import { restoredEvents } from '../reconcile/restored-event.js';

export interface RepublishInput {
  readonly service: string;
  /** Connection string of the service's relay role. */
  readonly url: string;
  readonly publish: Publish;
  /** The service's resources: they define which columns may leave it. */
  readonly resources: readonly Resource[];
  /** Only this practice. */
  readonly practice?: string;
  /** Only events of the records with these ids. */
  readonly records?: ReadonlySet<string>;
  /** From this position of each practice, or from the first event recorded at this time or later; all events if left out. */
  readonly from?: { readonly position: number } | { readonly time: string };
  /** Aborted: the rest is not published. */
  readonly stopping?: AbortSignal;
}

export interface RepublishReport {
  readonly practices: number;
  readonly events: number;
  /** The message with the highest sequence; null if there was no event. */
  readonly last: PublishedMessage | null;
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
    return publishAgain(input);
  });
}

/**
 * The same for a caller that has the leader lock.
 * @throws {Error} if the bus does not accept an event, or at `stopping`
 */
export async function publishAgain(input: RepublishInput): Promise<RepublishReport> {
  const practices = await connected(input, (client) => startsOf(client, input));
  const waiting = practices.values();
  const work = (): Promise<readonly Published[]> =>
    connected(input, async (client) => {
      const published: Published[] = [];
      for (const start of waiting) published.push(await republishPractice(client, input, start));
      return published;
    });
  const all = (await Promise.all(Array.from({ length: PRACTICES_AT_A_TIME }, work))).flat();
  return {
    practices: practices.length,
    events: all.reduce((sum, { events }) => sum + events, 0),
    last: latestOf(all.map(({ last }) => last)),
  };
}

/** A practice's events that were published again, and the last one's message. */
type Published = Pick<RepublishReport, 'events' | 'last'>;

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
  { service, resources, publish, records, stopping }: RepublishInput,
  { therapistId, position }: Start,
): Promise<Published> {
  let batch: RecordedEvent[] = [];
  let events = 0;
  let last: PublishedMessage | null = null;
  const flush = async (): Promise<void> => {
    stopping?.throwIfAborted();
    const messages = await publish(batch);
    if (messages.includes(null)) throw new Error('the bus does not accept the events');
    events += batch.length;
    last = latestOf([last, ...messages]);
    batch = [];
  };
  // Restorations are published where they were: before the events of their epochs.
  const restorations = (await restorationsOf(client, { service, therapistId })).filter(
    ({ after }) => after >= position - 1,
  );
  const tell = (before: number): void => {
    while (restorations[0] !== undefined && restorations[0].after < before)
      batch.push(...restoredEvents(service, restorations.shift() as Restoration, aggregatesOf(service)));
  };
  for await (const event of readLog(client, {
    service,
    therapistId,
    after: position - 1,
    withEpochs: true,
  })) {
    if (records?.has(event.streamId) === false) continue;
    if (records === undefined) tell(event.position);
    batch.push(publishable(resources, event));
    if (batch.length >= BATCH) await flush();
  }
  if (records === undefined) tell(Infinity);
  if (batch.length > 0) await flush();
  return { events, last };
}
