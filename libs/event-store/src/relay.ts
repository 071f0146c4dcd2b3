// Publishes the events in the outbox: at least once, in order per practice, and never past an event that was not acknowledged.
// Rows leave the outbox only after the acknowledgement, so there is no checkpoint that could skip an event.

import { logTable } from './log-table.js';
import { tryLeaderLock, yieldLeaderLock } from './leader-lock.js';
import type { RecordedEvent } from '@practice/core';
import { Client } from 'pg';
import { eventColumns } from './read-log.js';

/** Publishes events, in order within a practice. @returns for each event whether it was acknowledged */
export type Publish = (events: readonly RecordedEvent[]) => Promise<readonly boolean[]>;

export interface RelayOptions {
  readonly service: string;
  /** Connection string of the service's relay role. */
  readonly databaseUrl: string;
  readonly publish: Publish;
  readonly onError: (error: unknown) => void;
}

export interface Relay {
  /** Makes the relay read the outbox now instead of at its next poll. */
  wake(): void;
  stop(): Promise<void>;
}

const BATCH = 500;
const POLL_EVERY_MS = 200;
const RETRY_AFTER_MS = 500;
/** Under load, one read of the outbox includes the commits of the next few milliseconds. */
const GATHER_MS = 10;

type Queued = RecordedEvent & { readonly outboxId: string };

/** Starts the relay of a log. Of several processes one publishes at a time; if it ends, another takes over. */
export function startRelay(options: RelayOptions): Relay {
  let stopped = false;
  let woken = false;
  let wakeUp: (() => void) | undefined;
  const rest = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const idle = async (): Promise<void> => {
    if (!woken && !stopped) await rest(POLL_EVERY_MS);
    if (!stopped) await rest(GATHER_MS);
    woken = false;
  };
  const finished = (async () => {
    while (!stopped) {
      try {
        await relayUntil(options, { isStopped: () => stopped, idle });
      } catch (error) {
        options.onError(error);
        if (!stopped) await rest(RETRY_AFTER_MS);
      }
    }
  })();
  return {
    wake: () => {
      if (woken) return;
      woken = true;
      wakeUp?.();
    },
    stop: () => {
      stopped = true;
      wakeUp?.();
      return finished;
    },
  };
}

/** Publishes on one connection until it breaks or the relay is stopped. */
async function relayUntil(
  { service, databaseUrl, publish, onError }: RelayOptions,
  pace: { isStopped: () => boolean; idle: () => Promise<void> },
): Promise<void> {
  const client = new Client({
    connectionString: databaseUrl,
    application_name: `${service} relay`,
    // The relay only deletes from the outbox. If a crash loses a delete, the events are published again.
    options: '-c synchronous_commit=off',
  });
  client.on('error', onError);
  await client.connect();
  try {
    let isLeader = false;
    let polled = 0;
    while (!pace.isStopped()) {
      if (!isLeader) isLeader = await tryLeaderLock(client, service);
      else if (Date.now() - polled >= POLL_EVERY_MS) {
        polled = Date.now();
        isLeader = await yieldLeaderLock(client, service);
      }
      const relayed = isLeader ? await relayBatch(client, service, publish) : 0;
      if (relayed < BATCH) await pace.idle();
    }
  } finally {
    await client.end();
  }
}

async function relayBatch(client: Client, service: string, publish: Publish): Promise<number> {
  const { rows } = await client.query<Queued>({
    name: 'outbox',
    text: `SELECT o.id AS "outboxId", ${eventColumns('e')}
     FROM (SELECT * FROM ${logTable(service, 'outbox')} ORDER BY id LIMIT ${BATCH}) o
     JOIN ${logTable(service, 'events')} e USING (therapist_id, position) ORDER BY o.id`,
  });
  if (rows.length === 0) return 0;
  const acks = await publish(rows);
  const acknowledged = rows.filter((_, index) => acks[index] === true).map(({ outboxId }) => outboxId);
  if (acknowledged.length > 0) {
    await client.query({
      name: 'relayed',
      text: `DELETE FROM ${logTable(service, 'outbox')} WHERE id = ANY ($1::bigint[])`,
      values: [acknowledged],
    });
  }
  if (acknowledged.length < rows.length)
    throw new Error(`${rows.length - acknowledged.length} events were not acknowledged`);
  return rows.length;
}
