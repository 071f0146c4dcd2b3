// The practices that a process follows: one subscription of the bus for each, however many followers it has.

import { LOG_RESTORED, serviceNames } from '@practice/contracts';
import { subjectOf, type Connection, type ConnectionLogger } from '@practice/bus';
import type { Msg, Subscription } from '@nats-io/transport-node';
import { feedEventOf } from './feed-event.js';
import type { Owners } from './owners.js';
import { Topic } from './topic.js';

/** A message that the bus has lost is found this much later, if none follows it. */
const CHECK_MS = 5_000;
/** Practices of one question. */
const MOST_ASKED = 1_000;

interface Followed {
  readonly topic: Topic;
  readonly subscription: Subscription;
}

interface TopicsParts {
  readonly connection: Connection;
  readonly logger: ConnectionLogger;
}

export class Topics {
  private readonly followed = new Map<string, Followed>();
  private readonly stopUp: () => void;
  private readonly timer: NodeJS.Timeout;
  /** New practices of this moment, whose positions are asked for together. */
  private fresh = new Set<string>();

  constructor(
    private readonly parts: TopicsParts,
    private readonly owners: Owners,
  ) {
    const checkAll = (): void => void this.check([...this.followed.keys()]);
    this.stopUp = parts.connection.onUp(checkAll);
    this.timer = setInterval(checkAll, CHECK_MS).unref();
  }

  /** Follows a practice. @param onChange called when there may be something new */
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
    const subscription = this.parts.connection.nats.subscribe(
      `${subjectOf({ therapistId }).split('.').slice(0, 4).join('.')}.>`,
      { callback: (error, message) => this.hear(topic, error, message) },
    );
    this.followed.set(therapistId, { topic, subscription });
    this.learnSoon(therapistId);
    return topic;
  }

  /** Ends the subscription when no one follows the practice any more. */
  private release(therapistId: string): void {
    const known = this.followed.get(therapistId);
    if (known === undefined || known.topic.isFollowed) return;
    this.followed.delete(therapistId);
    if (!this.parts.connection.nats.isClosed()) known.subscription.unsubscribe();
  }

  close(): void {
    clearInterval(this.timer);
    this.stopUp();
    for (const { subscription } of this.followed.values())
      if (!this.parts.connection.nats.isClosed()) subscription.unsubscribe();
    this.followed.clear();
  }

  private hear(topic: Topic, error: Error | null, message: Msg): void {
    const { logger } = this.parts;
    if (error) return logger.error({ err: error }, 'events of a practice cannot be received');
    try {
      const event = feedEventOf(message.subject, message.data);
      // It is about a log and has the position of an event.
      if (event.type !== LOG_RESTORED) topic.hear(event);
    } catch (cause) {
      // The owner has the event, so a check finds it.
      logger.error({ err: cause, subject: message.subject }, 'an event of a practice cannot be read');
    }
  }

  private learnSoon(therapistId: string): void {
    this.fresh.add(therapistId);
    if (this.fresh.size > 1) return;
    setImmediate(() => {
      const asked = [...this.fresh];
      this.fresh = new Set();
      // The server has the subscriptions before the owners are asked, so no event is missed in between.
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
