// The server side of requests: a Nest transport strategy. Handlers are controller methods with `@MessagePattern(op)` or
// `@CallPattern(op)`. They take a `FrameRequest` and return a `Reply`.

import { Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import { headers, type Msg, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import { internalError, Rejection, type Envelope } from '@practice/core';
import { firstValueFrom, isObservable } from 'rxjs';
import { cut } from './chunks.js';
import { type Connection, whileUp } from './connection.js';
import { decodeFrame, encodeFrame, FrameVersionError, FRAME_OVERHEAD, wholeEntry } from './frame.js';
import type { Entry, Outgoing } from './frame.js';
import { readRequestEnvelope } from './envelope.js';
import { createFrameQueue, type FrameQueue } from './frame-queue.js';
import { createInWork } from './in-work.js';
import { callPatterns } from './call-pattern.js';
import { noStatement, problemReply, unavailable, unreadable } from './reply.js';
import type { FrameRequest, Reply, Stated } from './request.js';
import type { ReadStatement } from './statement.js';
import { CALL, goneSubject, nameOfRequest, replyPrefix, replySubject, requesterOf } from './subjects.js';
import { requestSubjects, startedSubject, UNKNOWN_VERSION, wayOf } from './subjects.js';

export interface FrameServerOptions {
  readonly connection: Connection;
  /** The name of the service. Its processes share the requests as one queue group. */
  readonly service: string;
  /** Called with every error that is not a `Rejection`, and the envelope of its request if known. Callers see only the request id. */
  readonly onError: (error: unknown, envelope?: Envelope) => void;
  /** Reads the statements of calls. Without it, every call with an identity is refused. */
  readonly readStatement?: ReadStatement;
  /** Called for every request that is refused because of its statement or its reply subject, and now and then for one that came after its deadline. */
  readonly onRefused?: (why: string, envelope?: Envelope) => void;
  /** The maximum number of concurrent requests. A request beyond it gets 503 before any work is done. */
  readonly maxInWork?: number;
}

/** How long `close` waits for requests in progress. */
const DRAIN_MS = 10_000;
/** A wrong clock makes many requests late. One line of the log in this time is enough. */
const REPORT_LATE_EVERY_MS = 10_000;

type Handler = MessageHandler<FrameRequest, never, Reply>;

export class FrameServer extends Server implements CustomTransportStrategy {
  private readonly nats: NatsConnection;
  private readonly queue: FrameQueue<Outgoing>;
  /** Size limit of a frame of replies, in bytes. */
  private readonly limit: number;
  private readonly inWork = createInWork();
  /** For each request in progress, by `nameOfRequest`: whether its caller has disconnected. */
  private readonly gone = new Map<string, { aborted: boolean }>();
  private subscription: Subscription | undefined;
  private reportsLateFrom = -Infinity;
  private closing: Promise<void> | undefined;

  constructor(private readonly options: FrameServerOptions) {
    super();
    this.nats = options.connection.nats;
    this.limit = Math.floor(options.connection.maxPayload / 2) - FRAME_OVERHEAD;
    this.queue = createFrameQueue({
      limit: this.limit,
      // Under load, more replies will follow soon. Sent together, they cost one message.
      mayWait: (_requester, { entries }) => entries.length < this.inWork.count(),
      send: (requester, { entries, size }) =>
        this.publish(replySubject(requester), encodeFrame(entries, size)),
    });
  }

  /** Calls back once the NATS server has the subscription. Also announces to gateways that a process has started. */
  listen(callback: (error?: unknown) => void): void {
    const { service } = this.options;
    this.subscription = this.nats.subscribe(requestSubjects(service), {
      queue: service,
      callback: (error, message) => {
        if (error) this.options.onError(error);
        else this.receive(message);
      },
    });
    // Without a queue group, because any process may have the request.
    this.nats.subscribe(goneSubject({ service, caller: '*' }), {
      callback: (error, message) => {
        const gone = error ? undefined : this.gone.get(message.string());
        if (gone !== undefined) gone.aborted = true;
      },
    });
    this.nats
      .flush()
      .then(() => this.nats.publish(startedSubject(service)))
      .then(() => callback(), callback);
  }

  /** Stops accepting requests, waits for those in progress and sends their replies. The connection stays open. */
  close(): Promise<void> {
    this.closing ??= this.drain();
    return this.closing;
  }

  /** How many requests are in progress. */
  get busy(): number {
    return this.inWork.count();
  }

  on(): never {
    throw new Error('a FrameServer emits no events; listen to its connection instead');
  }

  unwrap<T>(): T {
    return this.nats as T;
  }

  private async drain(): Promise<void> {
    if (this.nats.isClosed()) return;
    await whileUp(this.options.connection, () => this.subscription?.drain());
    await this.inWork.settled(DRAIN_MS);
    this.queue.flush();
    await whileUp(this.options.connection, () => this.nats.flush());
  }

  private receive(message: Msg): void {
    const way = wayOf(message.subject);
    const { reply = '' } = message;
    // JetStream delivers events to any subject that a consumer names, but not with this reply subject.
    if (!reply.startsWith(replyPrefix(way)))
      return this.options.onRefused?.(`the reply subject of a request by ${way.caller} is not its own`);
    const requester = requesterOf(reply);
    let entries: readonly Entry[];
    try {
      entries = decodeFrame(message.data);
    } catch (error) {
      this.options.onError(error);
      if (error instanceof FrameVersionError)
        message.respond(undefined, { headers: headers(UNKNOWN_VERSION, error.message) });
      return;
    }
    for (const entry of entries) this.accept({ requester, kind: way.kind }, entry);
  }

  /** Serves a request. If that throws, the request gets an error reply, and the other requests of its frame are still served. */
  private accept(from: { requester: string; kind: string }, entry: Entry): void {
    try {
      this.serve(from, entry);
    } catch (error) {
      this.options.onError(error);
      this.answer(from.requester, entry.id, problemReply(unreadable));
    }
  }

  private serve({ requester, kind }: { requester: string; kind: string }, entry: Entry): void {
    const sent = readRequestEnvelope(entry.envelope);
    if (sent.deadline < Date.now()) return this.reportLate(sent);
    const answer = (reply: Reply): void => {
      try {
        this.answer(requester, entry.id, reply);
      } catch (error) {
        this.answer(requester, entry.id, this.replyTo(error, sent));
      }
    };
    const { service, maxInWork = 2_000 } = this.options;
    if (this.inWork.count() >= maxInWork)
      return answer(problemReply(unavailable(service, 'is overloaded').problem));
    const { handler, needsIdentity } = this.handlerOf(kind, sent.op);
    if (handler === undefined)
      return answer(this.replyTo(new Error(`there is no handler for '${kind} ${sent.op}'`), sent));
    const envelope = this.identified(sent, needsIdentity);
    if (envelope === undefined) return answer(problemReply(noStatement));
    this.inWork.begin();
    const name = nameOfRequest(requester, entry.id);
    const gone = { aborted: false };
    this.gone.set(name, gone);
    const finish = (reply: Reply): void => {
      this.gone.delete(name);
      this.inWork.end();
      answer(reply);
    };
    const fail = (error: unknown): void => finish(this.replyTo(error, envelope));
    Object.assign(envelope, { gone });
    handler({ envelope, body: entry.body }).then((result) => {
      if (isObservable(result)) firstValueFrom(result).then(finish, fail);
      else finish(result);
    }, fail);
  }

  /** Reports a request that came after its deadline, unless it has just reported another one. */
  private reportLate(sent: Envelope): void {
    const now = performance.now();
    if (now < this.reportsLateFrom) return;
    this.reportsLateFrom = now + REPORT_LATE_EVERY_MS;
    this.options.onRefused?.('its deadline had passed when it came: a slow network, or a wrong clock', sent);
  }

  /** The handler of a request. For a request between services, the subject names the handler, and the envelope's `op` is ignored. */
  private handlerOf(kind: string, op: string): { handler?: Handler | undefined; needsIdentity: boolean } {
    const find = (pattern: string) => this.messageHandlers.get(pattern) as Handler | undefined;
    if (kind !== CALL) return { handler: find(kind), needsIdentity: false };
    const handler = find(callPatterns.identified(op));
    if (handler !== undefined) return { handler, needsIdentity: true };
    return { handler: find(callPatterns.open(op)), needsIdentity: false };
  }

  /** The envelope with the verified identity; undefined if its statement is not valid, or is missing although required. */
  private identified(sent: Envelope<Stated>, needsIdentity: boolean): Envelope | undefined {
    const { statement, address } = sent;
    if (statement === undefined && !needsIdentity) return Object.assign(sent, { identity: undefined });
    const identity = typeof statement === 'string' ? this.options.readStatement?.(statement) : undefined;
    if (identity !== undefined)
      return Object.assign(sent, { identity: Object.assign({}, identity, { address }) });
    this.options.onRefused?.('a call without a valid statement of identity', sent);
    return undefined;
  }

  private replyTo(error: unknown, envelope: Envelope): Reply {
    if (error instanceof Rejection) return problemReply(error.problem);
    this.options.onError(error, envelope);
    return problemReply(internalError(envelope.requestId));
  }

  private answer(requester: string, id: number, reply: Reply): void {
    const envelope = JSON.stringify({ status: reply.status, headers: reply.headers });
    for (const part of cut(wholeEntry(id, envelope, reply.body), this.limit)) this.queue.add(requester, part);
  }

  private publish(subject: string, frame: Buffer): void {
    try {
      this.nats.publish(subject, frame);
    } catch (error) {
      this.options.onError(error);
    }
  }
}
