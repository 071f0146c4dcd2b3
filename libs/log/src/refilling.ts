// A refill: events of the log are published again, because the stream has lost them or a subscriber needs them. It runs in rounds
// between the batches of newer events. Its progress is noted after each round, so the next process continues where this process
// ended. Newer events of a practice wait until its older ones are in the stream. Other practices do not wait.

import type { RecordedEvent } from '@practice/core';
import type { ClientBase } from 'pg';
import type { Bus, Publish } from './bus.js';
import { takeRequests } from './backfill-requests.js';
import { endRefill, findRefill, removeLost } from './published.js';
import type { NotedMessage, PublishedMessage, Refill } from './published.js';
import { readParts, type LogPart } from './read-parts.js';
import { addToRefill, nextToRefill, noteRefilled, refillState, verifyRefill } from './refill-table.js';
import type { Refilled } from './refill-table.js';

/** Why a refill begins or goes on: `continued` if it was begun before, by an earlier process or for an earlier stream. */
export type RefillReason = 'lost' | 'asked for' | 'continued';

/** The part of a refill that the owner of a log knows. */
export interface RefillParts {
  /**
   * Called when a refill begins or goes on.
   * @param since the events recorded at this time or later, or all of them if it is null
   * @returns a function that publishes each event once more, even if the stream knows its id
   */
  begin(why: RefillReason, since: string | null): Publish;
  /** The events to publish for a part of a log, in order. */
  eventsOf(part: LogPart): readonly RecordedEvent[];
  /** Called when it is done. @param events the number of events that this process has published */
  done(events: number): void;
}

/** The number of practices in a round. Events of one practice follow each other, and practices go on at the same time. */
const PRACTICES = 32;
/** How often the notes are compared with the stream even if nothing interrupted the connection. */
const COMPARE_EVERY_MS = 15_000;

/** The refill of a log, on the connection that has the leader lock. */
export class Refilling {
  isLoss = false;
  private publish: Publish | undefined;
  private events = 0;
  private compared = { at: -Infinity, interruptions: -1 };

  constructor(
    private readonly client: ClientBase,
    private readonly options: { readonly service: string; readonly bus: Bus; readonly refill: RefillParts },
  ) {}

  get isOpen(): boolean {
    return this.publish !== undefined;
  }

  /** Whether the stream may have lost events since it was compared. */
  isComparisonDue(): boolean {
    return this.isInterrupted() || performance.now() - this.compared.at >= COMPARE_EVERY_MS;
  }

  /** Whether the connection to the stream was lost since the stream was compared. */
  isInterrupted(): boolean {
    return this.compared.interruptions !== this.options.bus.interruptions();
  }

  /** Compares what was published with the stream, and begins a refill of the events that must be published again. */
  async compare(): Promise<void> {
    const { client } = this;
    const { service, bus, refill } = this.options;
    this.compared = { at: performance.now(), interruptions: bus.interruptions() };
    await bus.prepare();
    const holds = (message: NotedMessage): Promise<boolean> => bus.holds(message);
    const again = await verifyRefill(client, service, holds);
    const found = await findRefill(client, service, holds);
    if (found.kind === 'lost') await this.add(found);
    const { isOpen, isLoss } = await refillState(client, service);
    this.isLoss = isLoss;
    if (found.kind === 'lost') this.publish = refill.begin(found.isLoss ? 'lost' : 'asked for', found.since);
    else if (again > 0 || (isOpen && !this.isOpen)) this.publish = refill.begin('continued', null);
  }

  /** Adds events to the refill, which from then on replaces the notes about them. */
  private async add(found: Refill & { readonly kind: 'lost' }): Promise<void> {
    const { service } = this.options;
    const { since, isLoss, requests } = found;
    await this.client.query('BEGIN');
    try {
      await addToRefill(this.client, service, { since, isLoss, fromStart: requests.length > 0 });
      await takeRequests(this.client, service, requests);
      if (isLoss) await removeLost(this.client, service, since);
      await this.client.query('COMMIT');
    } catch (error) {
      await this.client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  /**
   * Publishes the next part of some practices, or ends the refill.
   * @throws {Error} when the bus does not accept an event, or the connection was lost meanwhile: the stream may have lost more
   */
  async round(): Promise<void> {
    const { client, publish } = this;
    const { service, refill } = this.options;
    // After an interruption, the stream is compared first.
    if (publish === undefined || this.isInterrupted()) return;
    const places = await nextToRefill(client, service, PRACTICES);
    if (places.length === 0) {
      await endRefill(client, service);
      refill.done(this.events);
      this.publish = undefined;
      [this.events, this.isLoss] = [0, false];
      return;
    }
    const parts = await readParts(client, service, places);
    const batches = parts.map((part) => refill.eventsOf(part));
    const messages = await publish(batches.flat());
    if (this.isInterrupted()) throw new Error('the connection was lost while events were published again');
    const accepted = acceptedParts(parts, batches, messages);
    await noteRefilled(client, service, accepted);
    this.events += batches.flat().length;
    if (accepted.length < parts.length) throw new Error('the bus does not accept the events');
  }
}

/** The parts whose events the stream has. */
function acceptedParts(
  parts: readonly LogPart[],
  batches: readonly (readonly RecordedEvent[])[],
  messages: readonly (PublishedMessage | null)[],
): Refilled[] {
  let start = 0;
  return parts.flatMap(({ therapistId, next, isLast }, index) => {
    const own = messages.slice(start, (start += batches[index]?.length ?? 0));
    return own.includes(null) ? [] : [{ therapistId, next, isDone: isLast, last: own.at(-1) ?? null }];
  });
}
