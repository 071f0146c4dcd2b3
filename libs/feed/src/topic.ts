// The recent events of one practice, as a process hears them on the bus. Its followers take events from here as long as they keep up;
// otherwise they ask the owner.

import type { FeedEvent } from './feed-event.js';

/** Events that are kept for followers. */
const KEPT = 256;
/** Events after which values of a person may be gone everywhere: what was heard before is not repeated. */
const ERASING: ReadonlySet<string> = new Set(['erasure', 'practice']);

export class Topic {
  private readonly recent = new Map<string, FeedEvent>();
  private readonly heads = new Map<string, number>();
  private readonly listeners = new Set<() => void>();

  /** Whether anybody follows the practice. */
  get isFollowed(): boolean {
    return this.listeners.size > 0;
  }

  /** @param onChange called when there may be something new. Returns the way to leave. */
  join(onChange: () => void): () => void {
    this.listeners.add(onChange);
    return () => void this.listeners.delete(onChange);
  }

  /** The last known position of a log. */
  head(service: string): number {
    return this.heads.get(service) ?? 0;
  }

  /** The event at a position, if it was heard lately. */
  at(service: string, position: number): FeedEvent | undefined {
    return this.recent.get(`${service} ${position}`);
  }

  /** An event from the bus. It may be repeated, and others may be missing before it. */
  hear(event: FeedEvent): void {
    if (ERASING.has(event.aggregate)) this.recent.clear();
    this.recent.set(`${event.service} ${event.position}`, event);
    if (this.recent.size > KEPT) this.recent.delete(this.recent.keys().next().value as string);
    if (event.position > this.head(event.service)) this.heads.set(event.service, event.position);
    this.notify();
  }

  /** The owner's word about the last position of its log. */
  learn(service: string, head: number): void {
    const isNew = head > this.head(service);
    this.heads.set(service, head);
    if (isNew) this.notify();
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}
