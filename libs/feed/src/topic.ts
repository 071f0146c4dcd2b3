// The recent events of one practice that a process has received from the bus. Followers take events from here while they keep up.
// Otherwise they ask the owner.

import type { FeedEvent } from './feed-event.js';

/** The number of events that are kept for followers. */
const KEPT = 256;
/** The aggregates whose events may erase personal values. Earlier events are then dropped, so that no erased value is delivered. */
const ERASING: ReadonlySet<string> = new Set(['erasure', 'practice']);

export class Topic {
  private readonly recent = new Map<string, FeedEvent>();
  private readonly heads = new Map<string, number>();
  private readonly listeners = new Set<() => void>();

  /** Whether the practice has any followers. */
  get isFollowed(): boolean {
    return this.listeners.size > 0;
  }

  /** Adds a follower. @param onChange called when there may be new events. Returns a function that removes the follower. */
  join(onChange: () => void): () => void {
    this.listeners.add(onChange);
    return () => void this.listeners.delete(onChange);
  }

  /** The last known position of a log. */
  head(service: string): number {
    return this.heads.get(service) ?? 0;
  }

  /** The event at a position, if it was received recently. */
  at(service: string, position: number): FeedEvent | undefined {
    return this.recent.get(`${service} ${position}`);
  }

  /** Adds an event from the bus. The bus may repeat events, and may have lost events before this one. */
  hear(event: FeedEvent): void {
    if (ERASING.has(event.aggregate)) this.recent.clear();
    this.recent.set(`${event.service} ${event.position}`, event);
    if (this.recent.size > KEPT) this.recent.delete(this.recent.keys().next().value as string);
    if (event.position > this.head(event.service)) this.heads.set(event.service, event.position);
    this.notify();
  }

  /** Sets the last position of a log, as its owner reports it. */
  learn(service: string, head: number): void {
    const isNew = head > this.head(service);
    this.heads.set(service, head);
    if (isNew) this.notify();
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}
