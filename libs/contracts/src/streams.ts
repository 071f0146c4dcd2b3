/** The stream of the bus with the published events of all services. */
export const STREAM = 'PRACTICE_EVENTS';

/** The stream with the messages that a subscriber could not process. */
export const DEAD_LETTER_STREAM = 'PRACTICE_DEAD_LETTERS';

const DAY_IN_NANOSECONDS = 86_400_000_000_000;

/** How the streams of the bus keep their messages. */
export interface StreamKeeping {
  /** The age at which events leave the stream, in days; 0 keeps them. */
  readonly maxAgeDays: number;
  /** The size at which the oldest events leave the stream, in bytes; 0 without a limit. */
  readonly maxBytes: number;
  /** The number of servers of a NATS cluster that store each message. */
  readonly replicas: number;
}

/**
 * The configuration of the stream of events, in the fields of JetStream. It drops its oldest messages by age and size, because the
 * logs keep them: a stream that is full must not stop the services. The window covers a relay that publishes again after a lost acknowledgement; consumers recognise
 * older repetitions by version.
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
 * The type of the event that a practice's log was restored from an older copy: its later events are gone, and their positions are
 * used again. It is not in the log.
 */
export const LOG_RESTORED = 'LogRestored';

/** The operation by which a service asks another one for the events of a record that the stream has lost. */
export const EVENTS_OF_RECORD = 'events';

/** The operation by which a subscriber asks the owner of a log to publish events again that have left the stream. */
export const REFILL = 'refill';

/** Asks for a refill, or whether one that was asked for is in the stream. */
export interface RefillQuestion {
  /** A UUID that the subscriber chose: the same question can be asked again. */
  readonly id: string;
  readonly kind: 'ask' | 'look';
  /** Events recorded at this time or later; all of them if it is null. */
  readonly since: string | null;
}

/** The answer to a question about a refill. */
export interface RefillAnswer {
  readonly isDone: boolean;
}
