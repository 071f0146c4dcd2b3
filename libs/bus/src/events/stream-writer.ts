// Stores messages in the stream of events. All acknowledgements of a writer arrive on one inbox. The client's own requests would be
// slower: it creates an error, a timer and a random inbox for each, which took longer than the JSON of the event.

import { createInbox, headers, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { oncePer } from '@practice/core';
import type { Connection } from '../messaging/connection.js';
import { CONTENT_TYPE, STREAM } from './envelope.js';

/** The acknowledgement of a message that the stream has. */
export interface Stored {
  readonly seq: number;
  /** Whether the stream already had a message with this id, at `seq`. The new message is not stored then. */
  readonly duplicate: boolean;
}

export interface StreamWriterOptions {
  readonly nats: NatsConnection;
  readonly inboxPrefix: string;
  /** The maximum time for an acknowledgement, in milliseconds. */
  readonly timeoutMs: number;
}

interface Waiting {
  /** When the wait ends, in milliseconds of `performance.now()`. */
  readonly until: number;
  readonly resolve: (stored: Stored) => void;
  readonly reject: (error: unknown) => void;
}

/** The header with the id of a message. */
export const MESSAGE_ID = 'Nats-Msg-Id';
const NO_RESPONDERS = 503;
const ACKNOWLEDGED_WITHIN_MS = 5_000;

/** Writes to the stream on an open connection. */
export class StreamWriter {
  /** By number, in the order of sending. No number is used twice, so a late acknowledgement never settles another message. */
  private readonly waiting = new Map<number, Waiting>();
  private inbox: string | undefined;
  private sent = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: StreamWriterOptions) {}

  /**
   * Stores a message.
   * @param id the server uses it to recognise a message of the last two minutes
   * @throws {Error} when the server refuses the message or does not acknowledge it in time; it may be stored in the latter case
   */
  store(subject: string, text: string, id: string): Promise<Stored> {
    const { nats, timeoutMs } = this.options;
    return new Promise((resolve, reject) => {
      this.inbox ??= this.listen();
      this.sent += 1;
      nats.publish(subject, text, { reply: `${this.inbox}.${this.sent}`, headers: headersOf(id) });
      this.waiting.set(this.sent, { until: performance.now() + timeoutMs, resolve, reject });
      this.timer ??= setTimeout(() => this.expire(), timeoutMs).unref();
    });
  }

  /** Subscribes to a new inbox for acknowledgements. @returns the inbox */
  private listen(): string {
    const inbox = createInbox(this.options.inboxPrefix);
    const subscription = this.options.nats.subscribe(`${inbox}.*`, {
      callback: (error, message) => {
        if (error === null) this.settle(Number(message.subject.slice(inbox.length + 1)), message);
      },
    });
    void subscription.closed.then(() => this.fail('the connection is closed', Infinity));
    return inbox;
  }

  private settle(number: number, message: Msg): void {
    const one = this.waiting.get(number);
    if (one === undefined) return;
    this.waiting.delete(number);
    try {
      one.resolve(storedOf(message));
    } catch (error) {
      one.reject(error);
    }
  }

  private expire(): void {
    const now = performance.now();
    this.fail('the event was not acknowledged in time', now);
    const [next] = this.waiting.values();
    this.timer = next && setTimeout(() => this.expire(), Math.ceil(next.until - now)).unref();
  }

  /** Rejects the messages whose wait ends at or before `until`. */
  private fail(why: string, until: number): void {
    for (const [number, one] of this.waiting) {
      if (one.until > until) return;
      this.waiting.delete(number);
      one.reject(new Error(why));
    }
  }
}

/** The writer of a connection. It keeps its inbox as long as the connection, so all publishers share it. */
export const writerOf = oncePer(
  new WeakMap<Connection, StreamWriter>(),
  ({ nats, inboxPrefix }) => new StreamWriter({ nats, inboxPrefix, timeoutMs: ACKNOWLEDGED_WITHIN_MS }),
);

/** The headers for JetStream, and `content-type` as the NATS binding of CloudEvents requires in structured mode. */
function headersOf(id: string) {
  const fields = headers();
  fields.set('content-type', CONTENT_TYPE);
  fields.set(MESSAGE_ID, id);
  fields.set('Nats-Expected-Stream', STREAM);
  return fields;
}

/** Reads an acknowledgement. @throws {Error} when the server has not stored the message */
function storedOf(message: Msg): Stored {
  if (message.data.length === 0 && message.headers?.code === NO_RESPONDERS)
    throw new Error('no stream takes the event');
  const answer = message.json<Partial<Stored> & { error?: { description?: string } }>();
  if (answer.error !== undefined) throw new Error(`the event was refused: ${answer.error.description}`);
  return { seq: answer.seq ?? 0, duplicate: answer.duplicate === true };
}
