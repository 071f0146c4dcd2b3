/** The stream of the bus with the published events of all services. */
export const STREAM = 'PRACTICE_EVENTS';

/** The stream with the messages that a subscriber could not process. */
export const DEAD_LETTER_STREAM = 'PRACTICE_DEAD_LETTERS';

const DAY_IN_NANOSECONDS = 86_400_000_000_000;

/** The settings by which the streams of the bus keep their messages. */
export interface StreamKeeping {
  /** The age at which events leave the stream, in days; 0 for no limit. */
  readonly maxAgeDays: number;
  /** The size at which the oldest events leave the stream, in bytes; 0 for no limit. */
  readonly maxBytes: number;
  /** The number of servers of a NATS cluster that store each message. */
  readonly replicas: number;
}

/**
 * The configuration of the stream of events, in the fields of JetStream. The stream drops its oldest messages by age and size, because
 * the logs keep them and a full stream must not stop the services. The duplicate window covers a relay that publishes again after a
 * lost acknowledgement. Consumers detect older repetitions by their version.
 */
export const eventStreamConfig = ({ maxAgeDays, maxBytes, replicas }: StreamKeeping) =>
  ({
    subjects: ['practice.events.>'],
    description: 'The events of every practice, as their services recorded them',
    duplicate_window: 120_000_000_000,
    storage: 'file',
    retention: 'limits',
    discard: maxBytes > 0 ? 'old' : 'new',
    num_replicas: replicas,
    max_age: maxAgeDays * DAY_IN_NANOSECONDS,
    max_bytes: maxBytes || -1,
    max_msgs: -1,
    max_msg_size: -1,
  }) as const;

/**
 * The type of the event that a practice's log was restored from an older copy. The later events of the log no longer exist, and their
 * positions are used again. The event itself is not in the log.
 */
export const LOG_RESTORED = 'LogRestored';

/** The operation by which a service asks another service for events of a record that the stream has lost. */
export const EVENTS_OF_RECORD = 'events';

/** The operation by which a subscriber asks the owner of a log to publish events that have left the stream again. */
export const REFILL = 'refill';

/** Asks for a refill (`ask`), or whether an earlier refill is in the stream (`look`). */
export interface RefillQuestion {
  /** A UUID that the subscriber has chosen, so that it can repeat the question. */
  readonly id: string;
  readonly kind: 'ask' | 'look';
  /** The events recorded at this time or later are wanted; null for all events. */
  readonly since: string | null;
}

/** The answer to a question about a refill. */
export interface RefillAnswer {
  readonly isDone: boolean;
}

// The subjects on which live processes send messages to each other. Only their NATS user may use them.

/** All messages between live processes. */
export const LIVE_SUBJECTS = 'practice.live.>';

/** The subject on which each live process reports that it is alive. */
export const ALIVE_SUBJECT = 'practice.live.alive';

/**
 * The subject of a topic of a practice.
 * @param topic the hash of the topic's name, which is one token of the subject
 */
export const topicSubject = (therapistId: string, topic: string): string =>
  `practice.live.topic.${therapistId}.${topic}`;
