// Publishes a log's events again, for an operator. The service's relay waits in the meantime. New events follow afterwards, so the
// order of each practice's events is kept.

import { logTable, readParts, waitForLeaderLock, withOpenClient } from '@practice/log';
import type { LogPart, Place, Publish } from '@practice/log';
import type { Resource } from '@practice/resource';
import type { Client } from 'pg';
import { eventsAgain } from './events-again.js';

export interface RepublishInput {
  readonly service: string;
  /** The connection string of the service's relay role. */
  readonly url: string;
  readonly publish: Publish;
  /** The service's resources. They define which columns may be published. */
  readonly resources: readonly Resource[];
  /** The only practice to publish; all practices if left out. */
  readonly practice?: string;
  /** The ids of the only records whose events to publish; all records if left out. */
  readonly records?: ReadonlySet<string>;
  /** From this position of each practice, or from the first event recorded at this time or later; all events if left out. */
  readonly from?: { readonly position: number } | { readonly time: string };
}

const PRACTICES_AT_A_TIME = 32;

/**
 * Publishes the events again, in order within each practice. Consumers recognise the events that they already have by position.
 * @throws {Error} if the bus does not accept an event, or the relay does not release the leader lock
 */
export function republish(input: RepublishInput) {
  const { service, url } = input;
  const config = { connectionString: url, application_name: `${service} republish`, statement_timeout: 0 };
  return withOpenClient(config, async (client) => {
    await waitForLeaderLock(client, service);
    return publishAll(client, input);
  });
}

async function publishAll(client: Client, input: RepublishInput) {
  const { service, publish } = input;
  const starts = await startsOf(client, input);
  const waiting = [...starts];
  let events = 0;
  while (waiting.length > 0) {
    const parts = await readParts(client, service, waiting.splice(0, PRACTICES_AT_A_TIME));
    const batch = parts.flatMap((part) => batchOf(input, part));
    const messages = await publish(batch);
    if (messages.includes(null)) throw new Error('the bus does not accept the events');
    events += batch.length;
    waiting.unshift(...parts.filter(({ isLast }) => !isLast));
  }
  return { practices: starts.length, events };
}

/** The events of a part to publish. Without the events about restorations if `records` is given, because these concern whole logs. */
function batchOf({ service, resources, records }: RepublishInput, part: LogPart) {
  if (records === undefined) return eventsAgain(service, resources, part);
  const events = part.events.filter(({ streamId }) => records.has(streamId));
  return eventsAgain(service, resources, { events, restorations: [] });
}

/** The position at which to begin in each practice. */
async function startsOf(client: Client, { service, practice, from }: RepublishInput): Promise<Place[]> {
  const position = from !== undefined && 'position' in from ? from.position : null;
  const time = from !== undefined && 'time' in from ? from.time : null;
  const { rows } = await client.query<Place>(
    `SELECT therapist_id AS "therapistId", min(position)::float8 AS next FROM ${logTable(service, 'events')}
     WHERE ($1::uuid IS NULL OR therapist_id = $1) AND ($2::bigint IS NULL OR position >= $2)
       AND ($3::timestamptz IS NULL OR recorded_at >= $3)
     GROUP BY therapist_id ORDER BY therapist_id`,
    [practice ?? null, position, time],
  );
  return rows;
}
