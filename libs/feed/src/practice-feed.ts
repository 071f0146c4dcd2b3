// The events of practices: pages of past events from the owners of the logs, and new events from the bus.

import { serviceNames } from '@practice/contracts';
import type { Connection, ConnectionLogger, Requester } from '@practice/bus';
import { advance, START, type Cursor } from './cursor.js';
import type { FeedEvent } from './feed-event.js';
import { Following, type FollowOptions } from './following.js';
import { Owners } from './owners.js';
import { Topics } from './topics.js';

interface PracticeFeedParts {
  readonly connection: Connection;
  /** A requester to the owners of logs. Its NATS user may send `EVENTS_OF_PRACTICE`. */
  readonly requester: Requester;
  readonly logger: ConnectionLogger;
}

interface PageOptions {
  readonly limit: number;
  /** Whether to leave out the events of owners that cannot answer, instead of failing. */
  readonly mayLack?: true;
}

interface Page {
  /** The given cursor, with positions instead of instants. */
  readonly from: Cursor;
  /** The events, in order for each service. Events of different services are ordered by recording time. */
  readonly events: readonly FeedEvent[];
  /** The cursor after the last of these events. */
  readonly cursor: Cursor;
  /** Whether the logs already have more events. */
  readonly more: boolean;
  /** False if an owner could not answer. */
  readonly isWhole: boolean;
}

/** The maximum number of events in one reply of an owner. */
const MOST_OF_OWNER = 200;

export class PracticeFeed {
  private readonly owners: Owners;
  private readonly topics: Topics;

  constructor(parts: PracticeFeedParts) {
    this.owners = new Owners(parts.requester);
    this.topics = new Topics(parts, this.owners);
  }

  /**
   * The events after a cursor, at most `limit`.
   * @throws {Rejection} PM503 when an owner cannot answer, unless the page may lack events
   */
  async page(therapistId: string, cursor: Cursor, { limit, mayLack }: PageOptions): Promise<Page> {
    const most = Math.min(limit, MOST_OF_OWNER);
    const asked = serviceNames.map(async (service) => {
      const question = { therapistId, from: cursor[service] ?? START, limit: most };
      return { service, ...(await this.owners.after(service, question)) };
    });
    const answered = await (mayLack === true ? fulfilled(asked) : Promise.all(asked));
    const found = merged(answered.map(({ events }) => events));
    const events = found.slice(0, limit);
    const isMore = answered.some(({ events: part, head }) => (part.at(-1)?.position ?? head) < head);
    const from = { ...cursor, ...Object.fromEntries(answered.map((part) => [part.service, part.from])) };
    return {
      ...{ from, events, cursor: events.reduce(advance, from), more: isMore || found.length > limit },
      isWhole: answered.length === asked.length,
    };
  }

  /** The cursor after the last event of every log. @throws {Rejection} PM503 when an owner cannot answer */
  async now(therapistId: string): Promise<Cursor> {
    const places = serviceNames.map(async (service) => {
      const heads = await this.owners.heads(service, [therapistId]);
      return [service, heads.get(therapistId) ?? START] as const;
    });
    return Object.fromEntries(await Promise.all(places));
  }

  /** Calls back for each event after a cursor, first for past events and then for new ones, until it is stopped. */
  follow(therapistId: string, cursor: Cursor, options: FollowOptions): Following {
    const { owners, topics } = this;
    return new Following({ ...options, therapistId, topics, owners }, cursor);
  }

  /** Calls back whenever a practice may have new events, and once if it already has events. Returns a function that stops it. */
  watch(therapistId: string, onNews: () => void): () => void {
    return this.topics.join(therapistId, onNews).leave;
  }

  /** Stops listening. */
  close(): void {
    this.topics.close();
  }
}

async function fulfilled<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(promises);
  return settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
}

/** The events of all logs, ordered by time. Events of the same log stay in order. */
function merged(logs: readonly (readonly FeedEvent[])[]): FeedEvent[] {
  const left = logs.filter((log) => log.length > 0).map((log) => ({ log, next: 0 }));
  const all: FeedEvent[] = [];
  while (left.length > 0) {
    const timeOf = ({ log, next }: (typeof left)[number]): string => log[next]?.message.time ?? '';
    const earliest = left.reduce((one, other) => (timeOf(other) < timeOf(one) ? other : one));
    all.push(earliest.log[earliest.next] as FeedEvent);
    earliest.next += 1;
    if (earliest.next === earliest.log.length) left.splice(left.indexOf(earliest), 1);
  }
  return all;
}
