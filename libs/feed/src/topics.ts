// The practices that a process follows. Each has one subscription on the bus, regardless of its number of followers.

import { LOG_RESTORED, serviceNames } from '@practice/contracts';
import { subjectOf, type Connection, type ConnectionLogger } from '@practice/bus';
import type { Msg, Subscription } from '@nats-io/transport-node';
import { feedEventOf } from './feed-event.js';
import type { Owners } from './owners.js';
import { Topic } from './topic.js';

/** The interval of checks. A lost message that no other message follows is found after this time at most. */
const CHECK_MS = 5_000;
/** The maximum number of practices in one request. */
const MOST_ASKED = 1_000;

interface Followed {
  readonly topic: Topic;
  readonly subscription: Subscription;
}

export class Topics {
  private readonly followed = new Map<string, Followed>();
  private readonly stopUp: () => void;
  private readonly timer: NodeJS.Timeout;
  /** Practices that were added in this tick. Their positions are requested together. */
  private fresh = new Set<string>();

  constructor(
    private readonly parts: { readonly connection: Connection; readonly logger: ConnectionLogger },
    private readonly owners: Owners,
  ) {
    const checkAll = (): void => void this.check([...this.followed.keys()]);
    this.stopUp = parts.connection.onUp(checkAll);
    this.timer = setInterval(checkAll, CHECK_MS).unref();
  }

  /** Follows a practice. @param onChange called when there may be new events */
  join(therapistId: string, onChange: () => void): { readonly topic: Topic; readonly leave: () => void } {
    const topic = this.open(therapistId);
    const leave = topic.join(onChange);
    return {
      topic,
      leave: () => {
        leave();
        this.release(therapistId);
      },
    };
  }

  private open(therapistId: string): Topic {
    const known = this.followed.get(therapistId);
    if (known !== undefined) return known.topic;
    const topic = new Topic();
    const subscription = this.parts.connection.nats.subscribe(subjectOf({ therapistId }), {
      callback: (error, message) => this.hear(topic, error, message),
    });
    this.followed.set(therapistId, { topic, subscription });
    this.learnSoon(therapistId);
    return topic;
  }

  /** Ends the subscription when the practice has no more followers. */
  private release(therapistId: string): void {
    const known = this.followed.get(therapistId);
    if (known === undefined || known.topic.isFollowed) return;
    this.followed.delete(therapistId);
    known.subscription.unsubscribe();
  }

  close(): void {
    clearInterval(this.timer);
    this.stopUp();
    for (const { subscription } of this.followed.values()) subscription.unsubscribe();
    this.followed.clear();
  }

  private hear(topic: Topic, error: Error | null, message: Msg): void {
    const { logger } = this.parts;
    if (error) return logger.error({ err: error }, 'events of a practice cannot be received');
    try {
      const event = feedEventOf(message.subject, message.data);
      // A `LogRestored` is not in the log, and has the position of another event.
      if (event.type !== LOG_RESTORED) topic.hear(event);
    } catch (cause) {
      // The owner has the event, so the next check finds it.
      logger.error({ err: cause, subject: message.subject }, 'an event of a practice cannot be read');
    }
  }

  private learnSoon(therapistId: string): void {
    this.fresh.add(therapistId);
    if (this.fresh.size > 1) return;
    setImmediate(() => {
      const asked = [...this.fresh];
      this.fresh = new Set();
      // Flushed first, so that the server has the subscriptions before the owners are asked and no event is missed in between.
      this.parts.connection.nats.flush().then(
        () => this.check(asked),
        () => undefined,
      );
    });
  }

  /** Asks the owners for the last positions of practices. An owner that cannot answer is asked again at the next check. */
  private async check(therapistIds: readonly string[]): Promise<void> {
    for (let from = 0; from < therapistIds.length; from += MOST_ASKED) {
      const some = therapistIds.slice(from, from + MOST_ASKED);
      await Promise.allSettled(serviceNames.map((service) => this.checkLog(service, some)));
    }
  }

  private async checkLog(service: string, therapistIds: readonly string[]): Promise<void> {
    const heads = await this.owners.heads(service, therapistIds);
    for (const [therapistId, { position: head }] of heads) {
      const topic = this.followed.get(therapistId)?.topic;
      if (topic !== undefined && head > topic.head(service)) topic.learn(service, head);
    }
  }
}
