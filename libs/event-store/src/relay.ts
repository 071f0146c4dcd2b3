// Carries events from the outbox to the bus: at least once, in order per practice, and never past one that was not
// acknowledged. Rows leave the outbox only after the acknowledgement, so there is no checkpoint that could skip.

import { logTable } from './log-table.js';
import { keepLead, takeLead } from './lead.js';
import type { RecordedEvent } from '@practice/core';
import { Client } from 'pg';
import { eventColumns } from './read-log.js';

/** Publishes events, those of one practice strictly in turn, and tells which were acknowledged. */
export type Publish = (events: readonly RecordedEvent[]) => Promise<readonly boolean[]>;

export interface RelayOptions {
  readonly service: string;
  /** Connection string of the service's relay role. */
  readonly databaseUrl: string;
  readonly publish: Publish;
  readonly onError: (error: unknown) => void;
}

export interface Relay {
  /** Says that something was committed, so that it needn't wait for the next look. */
  wake(): void;
  stop(): Promise<void>;
}

const BATCH = 500;
const LOOK_EVERY_MS = 200;
const RETRY_AFTER_MS = 500;
/** Under load, one look takes along what the next few milliseconds commit. */
const GATHER_MS = 10;

type Queued = RecordedEvent & { readonly outboxId: string };

/** Starts the relay of a log. Of several processes one relays at a time; another takes over when it goes. */
export function startRelay(options: RelayOptions): Relay {
  let stopped = false;
  let woken = false;
  let alarm: (() => void) | undefined;
  const rest = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      alarm = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const idle = async (): Promise<void> => {
    if (!woken && !stopped) await rest(LOOK_EVERY_MS);
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
      alarm?.();
    },
    stop: () => {
      stopped = true;
      alarm?.();
      return finished;
    },
  };
}

/** Relays on one connection until it breaks or the relay is stopped. */
async function relayUntil(
  { service, databaseUrl, publish, onError }: RelayOptions,
  pace: { isStopped: () => boolean; idle: () => Promise<void> },
): Promise<void> {
  const client = new Client({
    connectionString: databaseUrl,
    application_name: `${service} relay`,
    // What it commits is that events have left the outbox: lost in a crash, they leave it again.
    options: '-c synchronous_commit=off',
  });
  client.on('error', onError);
  await client.connect();
  try {
    let leads = false;
    let looked = 0;
    while (!pace.isStopped()) {
      if (!leads) leads = await takeLead(client, service);
      else if (Date.now() - looked >= LOOK_EVERY_MS) {
        looked = Date.now();
        leads = await keepLead(client, service);
      }
      const relayed = leads ? await relayBatch(client, service, publish) : 0;
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
