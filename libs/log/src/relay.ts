// Publishes the events in the outbox: at least once, in order per practice, and never past an event that was not acknowledged.
// Rows leave the outbox only after the acknowledgement, so there is no checkpoint that could skip an event.

import { BY_KEY } from './by-key.js';
import { openClient } from './connections.js';
import { logTable } from './log-table.js';
import { notifyLeader, tryLeaderLock, yieldLeaderLock } from './leader-lock.js';
import type { Bus } from './bus.js';
import type { RecordedEvent } from '@practice/core';
import type { Client, QueryConfig } from 'pg';
import { Pace } from './pace.js';
import { relayed, type PublishedMessage } from './published.js';
import { epochOf } from './restorations.js';
import { eventColumns, openedEvents } from './read-log.js';
import { isNotRefilled } from './refill-table.js';
import { Refilling, type RefillParts } from './refilling.js';

/** The relay's state, as an operator sees it. */
export type RelayState = 'publishing' | 'standing by' | 'publishing lost events again';

export interface RelayOptions {
  readonly service: string;
  /** Connection string of the service's relay role. */
  readonly databaseUrl: string;
  readonly bus: Bus;
  readonly refill: RefillParts;
  readonly onState?: (state: RelayState) => void;
  readonly onError: (error: unknown) => void;
}

export interface Relay {
  /** Makes the relay read the outbox now instead of at its next poll. */
  wake(): void;
  /** Makes the relay compare its notes with the stream now, because a refill was requested. */
  compare(): void;
  stop(): Promise<void>;
}

const BATCH = 500;
/** How often a leader that is not notified checks whether another connection waits for the lock. */
const YIELD_EVERY_MS = 1_000;
const RETRY_AFTER_MS = 500;

/** Starts the relay of a log. Of several processes one publishes at a time; if it ends, another takes over. */
export function startRelay(options: RelayOptions): Relay {
  const pace = new Pace();
  const finished = (async () => {
    while (!pace.isStopped) {
      try {
        await relayUntil(options, pace);
      } catch (error) {
        if (pace.isStopped) return;
        options.onError(error);
        await pace.rest(RETRY_AFTER_MS);
      }
    }
  })();
  return {
    wake: () => pace.wake(),
    compare: () => {
      pace.isComparing = true;
      pace.wake();
    },
    stop: () => {
      pace.stop();
      return finished;
    },
  };
}

/** Publishes on one connection until it breaks or the relay is stopped. */
async function relayUntil(options: RelayOptions, pace: Pace): Promise<void> {
  const { service, databaseUrl, onError, onState } = options;
  const config = {
    connectionString: databaseUrl,
    application_name: `${service} relay`,
    // The relay only deletes from the outbox, and notes its progress. If a crash loses that, events are published again.
    options: `-c synchronous_commit=off ${BY_KEY}`,
  };
  const client = await openClient(config, onError);
  let polled = -Infinity;
  client.on('notification', () => {
    polled = -Infinity;
    pace.wake();
  });
  try {
    /** Undefined while another process is the leader. */
    let refilling: Refilling | undefined;
    while (!pace.isStopped) {
      if (refilling === undefined) {
        if (await tryLeaderLock(client, service)) refilling = new Refilling(client, options);
      } else if (performance.now() - polled >= YIELD_EVERY_MS) {
        polled = performance.now();
        if (!(await yieldLeaderLock(client, service))) refilling = undefined;
      }
      onState?.(stateOf(refilling));
      const isBusy = refilling !== undefined && (await lead(client, { options, pace, refilling }));
      if (!isBusy && (await pace.idle())) await notifyOther(client, service, refilling);
    }
  } finally {
    await client.end();
  }
}

/** A relay that stands by was woken by a commit of its own process, whose events the leader publishes. */
async function notifyOther(client: Client, service: string, refilling: Refilling | undefined): Promise<void> {
  if (refilling === undefined) await notifyLeader(client, service);
}

interface Leading {
  readonly options: RelayOptions;
  readonly pace: Pace;
  readonly refilling: Refilling;
}

/** Publishes the next new events and the next part of a refill. @returns whether there may be more */
async function lead(client: Client, { options, pace, refilling }: Leading): Promise<boolean> {
  if (pace.isComparing || refilling.isComparisonDue()) {
    pace.isComparing = false;
    await refilling.compare();
    options.onState?.(stateOf(refilling));
  }
  const count = await relayBatch(client, options, refilling);
  await refilling.round();
  return count === BATCH || refilling.isOpen;
}

function stateOf(refilling: Refilling | undefined): RelayState {
  if (refilling === undefined) return 'standing by';
  return refilling.isOpen && refilling.isLoss ? 'publishing lost events again' : 'publishing';
}

/** Publishes the next events of the outbox, unless they wait for a refill of their practice. */
async function relayBatch(
  client: Client,
  { service, bus }: RelayOptions,
  refilling: Refilling,
): Promise<number> {
  const { isOpen } = refilling;
  const ready = isOpen ? `WHERE ${isNotRefilled(service, 'outbox.therapist_id')}` : '';
  const { rows } = await client.query<RecordedEvent & { readonly outboxId: string }>({
    name: isOpen ? 'outbox beside a refill' : 'outbox',
    text: `SELECT o.id AS "outboxId", ${eventColumns}, ${epochOf(service)} AS epoch
     FROM (SELECT * FROM ${logTable(service, 'outbox')} ${ready} ORDER BY id LIMIT ${BATCH}) o
     JOIN ${openedEvents(service)} AS e USING (therapist_id, position) ORDER BY o.id`,
  });
  // After an interruption the stream may have lost earlier messages: these are published again first.
  if (rows.length === 0 || refilling.isInterrupted()) return 0;
  const messages = await bus.publish(rows);
  if (refilling.isInterrupted()) throw new Error('the connection was lost while events were published');
  const acknowledged = rows.filter((_, index) => messages[index] !== null);
  const last = latestOf(messages);
  if (last !== null) {
    const outboxIds = acknowledged.map(({ outboxId }) => outboxId);
    const since = acknowledged
      .map(({ recordedAt }) => recordedAt)
      .reduce((one, other) => (other < one ? other : one));
    await client.query({ name: 'relayed', ...relayed(service, { outboxIds, last, since }) } as QueryConfig);
  }
  if (acknowledged.length < rows.length)
    throw new Error(`${rows.length - acknowledged.length} events were not acknowledged`);
  return rows.length;
}

/** The message with the highest sequence. */
export const latestOf = (messages: readonly (PublishedMessage | null)[]): PublishedMessage | null =>
  messages.reduce(
    (latest, message) => (message !== null && message.sequence > (latest?.sequence ?? -1) ? message : latest),
    null,
  );
