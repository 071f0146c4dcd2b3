// Stores messages in the stream of events. The acknowledgements come on one inbox of this writer: for each request, the client
// makes an error in advance, a timer and a random inbox, which together took longer than the JSON of the event.

import { createInbox, headers, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { CONTENT_TYPE, STREAM } from './envelope.js';

/** A message that the stream holds. */
export interface Stored {
  readonly seq: number;
  /** The stream had a message with this id, at `seq`; it has not stored this one. */
  readonly duplicate: boolean;
}

export interface StreamWriterOptions {
  readonly nats: NatsConnection;
  readonly inboxPrefix: string;
  /** How long an acknowledgement may take. */
  readonly timeoutMs: number;
}

interface Waiting {
  /** Milliseconds of `performance.now()`. */
  readonly until: number;
  readonly resolve: (stored: Stored) => void;
  readonly reject: (error: unknown) => void;
}

const NO_RESPONDERS = 503;

/** Writes on an open connection. It needs no closing. */
export class StreamWriter {
  /** In the order in which they were sent. No number is used twice: a late acknowledgement belongs to no other message. */
  private readonly waiting = new Map<number, Waiting>();
  private inbox: string | undefined;
  private sent = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: StreamWriterOptions) {}

  /**
   * Stores a message.
   * @param id the server recognises a message of the last two minutes by it
   * @throws {Error} when the server refuses the message or does not acknowledge it in time; then it may be stored nevertheless
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

  /** Listens from the first message on. */
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

  /** Fails the messages whose time ends until then. */
  private fail(why: string, until: number): void {
    for (const [number, one] of this.waiting) {
      if (one.until > until) return;
      this.waiting.delete(number);
      one.reject(new Error(why));
    }
  }
}

/** The headers of JetStream, and the one of CloudEvents' NATS binding for structured mode. */
function headersOf(id: string) {
  const fields = headers();
  fields.set('content-type', CONTENT_TYPE);
  fields.set('Nats-Msg-Id', id);
  fields.set('Nats-Expected-Stream', STREAM);
  return fields;
}

/** @throws {Error} when the server has not stored the message */
function storedOf(message: Msg): Stored {
  if (message.data.length === 0 && message.headers?.code === NO_RESPONDERS)
    throw new Error('no stream takes the event');
  const answer = message.json<Partial<Stored> & { error?: { description?: string } }>();
  if (answer.error !== undefined) throw new Error(`the event was refused: ${answer.error.description}`);
  return { seq: answer.seq ?? 0, duplicate: answer.duplicate === true };
}
