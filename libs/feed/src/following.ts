// A reader of a practice's events. It gets each event once, in order for each service, without gaps. It takes the next event only
// when the listener has finished with the last one, so nothing is buffered for a slow reader.

import { serviceNames } from '@practice/contracts';
import { advance, positionIn, START, type Cursor } from './cursor.js';
import type { FeedEvent } from './feed-event.js';
import type { Owners } from './owners.js';
import type { Topic } from './topic.js';
import type { Topics } from './topics.js';

export interface FollowOptions {
  /** Called with each event and the cursor after it. It is called again only when the promise is fulfilled. */
  readonly onEvent: (event: FeedEvent, cursor: Cursor) => Promise<void> | void;
  /** Called when the listener throws. The follower has stopped by then. */
  readonly onError: (error: unknown) => void;
}

interface FollowingParts extends FollowOptions {
  readonly therapistId: string;
  readonly topics: Topics;
  readonly owners: Owners;
}

/** The number of events that are fetched from an owner at once. */
const BATCH = 100;
/** The time after which an owner that cannot answer is asked again. */
const RETRY_MS = 1_000;

export class Following {
  private position: Cursor;
  private isRunning = false;
  private isStopped = false;
  /** Whether there may be new events that the follower has not looked for yet. */
  private isDue = false;
  private readonly compared = new Set<string>();
  private retry: NodeJS.Timeout | undefined;
  private readonly topic: Topic;
  private readonly leave: () => void;

  constructor(
    private readonly parts: FollowingParts,
    from: Cursor,
  ) {
    this.position = from;
    const joined = parts.topics.join(parts.therapistId, () => this.wake());
    this.topic = joined.topic;
    this.leave = joined.leave;
    // Not before the caller has this follower: its listener may stop it at the first event.
    queueMicrotask(() => this.wake());
  }

  /** The cursor after the last event that the listener has finished with. */
  get cursor(): Cursor {
    return this.position;
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.retry);
    this.leave();
  }

  private wake(): void {
    this.isDue = true;
    if (!this.isRunning && !this.isStopped) void this.run();
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    try {
      while (this.isDue && !this.isStopped) {
        this.isDue = false;
        for (const service of serviceNames) await this.catchUp(service);
      }
    } catch (error) {
      this.stop();
      this.parts.onError(error);
    }
    // In one step with the last look at `isDue`: after it, `wake` begins again.
    this.isRunning = false;
  }

  /** Delivers the known new events of one log. */
  private async catchUp(service: string): Promise<void> {
    const { topic } = this;
    // Only the owner knows the position of an instant.
    if (this.position[service]?.since !== undefined && !(await this.fetch(service))) return;
    const began = positionIn(this.position, service);
    while (!this.isStopped) {
      const next = positionIn(this.position, service) + 1;
      if (topic.head(service) < next && !this.isAhead(service)) return;
      // The other logs get their turn before the rest of this log.
      if (next > began + BATCH) return void (this.isDue = true);
      const heard = topic.at(service, next);
      if (heard !== undefined) await this.deliver(heard);
      else if (!(await this.fetch(service))) return;
    }
  }

  /** Whether the log may have been restored from a copy that is older than the cursor. True only once, so the owner is asked once. */
  private isAhead(service: string): boolean {
    const head = this.topic.head(service);
    if (head === 0 || head >= positionIn(this.position, service) || this.compared.has(service)) return false;
    this.compared.add(service);
    return true;
  }

  /** Fetches events from the owner and delivers them. @returns whether the owner had more events */
  private async fetch(service: string): Promise<boolean> {
    const { owners, therapistId } = this.parts;
    const asked = this.position[service] ?? START;
    const question = { therapistId, limit: BATCH, from: asked };
    const part = await owners.after(service, question).catch(() => this.retrySoon());
    if (!part) return false;
    const { events, head, from } = part;
    if (asked.since !== undefined) this.position = { ...this.position, [service]: from };
    this.goBackTo(service, events);
    if (events.length === 0) this.topic.learn(service, head);
    for (const event of events) {
      if (this.isStopped) return false;
      await this.deliver(event);
    }
    return events.length > 0;
  }

  /** Moves the cursor back if the owner begins earlier than asked. It does so after a restore, since later events were replaced. */
  private goBackTo(service: string, [first]: readonly FeedEvent[]): void {
    if (first === undefined || first.position > positionIn(this.position, service)) return;
    this.position = { ...this.position, [service]: { position: first.position - 1 } };
  }

  private async deliver(event: FeedEvent): Promise<void> {
    if (event.position !== positionIn(this.position, event.service) + 1) return;
    const cursor = advance(this.position, event);
    await this.parts.onEvent(event, cursor);
    this.position = cursor;
  }

  private retrySoon(): void {
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.wake(), RETRY_MS).unref();
  }
}
