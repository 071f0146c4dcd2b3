// Publishes the events in the outbox: at least once, in order per practice, and never past an event that was not acknowledged.
// Rows leave the outbox only after the acknowledgement, so there is no checkpoint that could skip an event.

import { BY_KEY } from './by-key.js';
import { logTable } from './log-table.js';
import { tryLeaderLock, yieldLeaderLock } from './leader-lock.js';
import type { RecordedEvent } from '@practice/core';
import { Client } from 'pg';
import type { QueryConfig } from 'pg';
import { findRefill, noteRefill, relayed } from './published.js';
import type { PublishedMessage } from './published.js';
import { epochOf } from './restorations.js';
import { eventColumns, openedEvents } from './read-log.js';

/**
 * Publishes events, in order within a practice.
 * @returns for each event its message in the stream, or null if it was not acknowledged
 */
export type Publish = (events: readonly RecordedEvent[]) => Promise<readonly (PublishedMessage | null)[]>;

/** The stream that the relay publishes to. */
export interface Bus {
  readonly publish: Publish;
  /** Makes the stream if it does not exist. */
  prepare(): Promise<void>;
  /** Whether the stream still has a message, or had it for as long as it keeps messages. */
  holds(message: PublishedMessage): Promise<boolean>;
  /** Counts how often the connection was lost: the stream may be another one after that. */
  interruptions(): number;
}

/** The relay's state, as an operator sees it. */
export type RelayState = 'publishing' | 'standing by' | 'publishing lost events again';

export interface RelayOptions {
  readonly service: string;
  /** Connection string of the service's relay role. */
  readonly databaseUrl: string;
  readonly bus: Bus;
  /**
   * Publishes the events of the log again. The relay waits meanwhile. It rejects soon after `stopping`; the next leader then begins
   * again.
   * @returns the message with the highest sequence, or null if there was no event
   */
  readonly refill: (wanted: Refilling) => Promise<PublishedMessage | null>;
  readonly onState?: (state: RelayState) => void;
  readonly onError: (error: unknown) => void;
}

export interface Refilling {
  /** Publishes the events since this time; all of them if it is null. */
  readonly since: string | null;
  /** The stream has lost events, or a subscriber has asked for them. */
  readonly why: 'lost' | 'asked for';
  readonly stopping: AbortSignal;
}

export interface Relay {
  /** Makes the relay read the outbox now instead of at its next poll. */
  wake(): void;
  /** Makes the relay compare its notes with the stream now: a refill was asked for. */
  compare(): void;
  stop(): Promise<void>;
}

const BATCH = 500;
const POLL_EVERY_MS = 200;
const RETRY_AFTER_MS = 500;
/** Under load, one read of the outbox includes the commits of the next few milliseconds. */
const GATHER_MS = 20;
/** How often the notes are compared with the stream, although nothing interrupted the connection. */
const COMPARE_EVERY_MS = 15_000;

type Queued = RecordedEvent & { readonly outboxId: string };

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

/** When the relay works, and when it rests. */
class Pace {
  /** A comparison with the stream was asked for. */
  isComparing = false;
  private readonly stopped = new AbortController();
  private isWoken = false;
  private wakeUp: (() => void) | undefined;

  get stopping(): AbortSignal {
    return this.stopped.signal;
  }

  get isStopped(): boolean {
    return this.stopping.aborted;
  }

  wake(): void {
    if (this.isWoken) return;
    this.isWoken = true;
    this.wakeUp?.();
  }

  stop(): void {
    this.stopped.abort();
    this.wakeUp?.();
  }

  async idle(): Promise<void> {
    if (!this.isWoken && !this.isStopped) await this.rest(POLL_EVERY_MS);
    if (!this.isStopped) await this.rest(GATHER_MS);
    this.isWoken = false;
  }

  rest(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Publishes on one connection until it breaks or the relay is stopped. */
async function relayUntil(options: RelayOptions, pace: Pace): Promise<void> {
  const { service, databaseUrl, bus, onError, onState } = options;
  const client = new Client({
    connectionString: databaseUrl,
    application_name: `${service} relay`,
    // The relay only deletes from the outbox. If a crash loses a delete, the events are published again.
    options: `-c synchronous_commit=off ${BY_KEY}`,
  });
  client.on('error', onError);
  await client.connect();
  try {
    let isLeader = false;
    let polled = 0;
    let compared = { at: -Infinity, interruptions: -1 };
    const isComparisonDue = (): boolean =>
      pace.isComparing ||
      compared.interruptions !== bus.interruptions() ||
      Date.now() - compared.at >= COMPARE_EVERY_MS;
    while (!pace.isStopped) {
      if (!isLeader) isLeader = await tryLeaderLock(client, service);
      else if (Date.now() - polled >= POLL_EVERY_MS) {
        polled = Date.now();
        isLeader = await yieldLeaderLock(client, service);
      }
      onState?.(isLeader ? 'publishing' : 'standing by');
      if (isLeader && isComparisonDue()) {
        pace.isComparing = false;
        compared = { at: Date.now(), interruptions: bus.interruptions() };
        await compareWithStream(client, options, pace.stopping);
      }
      const count = isLeader ? await relayBatch(client, service, bus) : 0;
      if (count < BATCH) await pace.idle();
    }
  } finally {
    await client.end();
  }
}

/** Publishes again what the stream has lost or a subscriber needs: before newer events, so that each practice's are in order. */
async function compareWithStream(
  client: Client,
  { service, bus, refill, onState }: RelayOptions,
  stopping: AbortSignal,
): Promise<void> {
  await bus.prepare();
  const found = await findRefill(client, service, (message) => bus.holds(message));
  if (found.kind === 'none') return;
  if (found.isLoss) onState?.('publishing lost events again');
  const interruptions = bus.interruptions();
  const last = await refill({ since: found.since, why: found.isLoss ? 'lost' : 'asked for', stopping });
  // The stream may have lost again what was published first, and only the last message is compared. All is published once more.
  if (bus.interruptions() !== interruptions)
    throw new Error('the connection was lost while events were published again');
  await noteRefill(client, service, { ...found, last });
}

async function relayBatch(client: Client, service: string, bus: Bus): Promise<number> {
  const { rows } = await client.query<Queued>({
    name: 'outbox',
    text: `SELECT o.id AS "outboxId", ${eventColumns}, ${epochOf(service)} AS epoch
     FROM (SELECT * FROM ${logTable(service, 'outbox')} ORDER BY id LIMIT ${BATCH}) o
     JOIN ${openedEvents(service)} AS e USING (therapist_id, position) ORDER BY o.id`,
  });
  if (rows.length === 0) return 0;
  const interruptions = bus.interruptions();
  const messages = await bus.publish(rows);
  // The stream may have lost earlier messages meanwhile: these are published again first.
  if (bus.interruptions() !== interruptions)
    throw new Error('the connection was lost while events were published');
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
