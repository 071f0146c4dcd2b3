// The receiving side, a Nest transport strategy. Handlers are `@MessagePattern(op)` methods of controllers that take a
// `FrameRequest` and return a `Reply`.

import { Server } from '@nestjs/microservices';
import type { CustomTransportStrategy, MessageHandler } from '@nestjs/microservices';
import { headers } from '@nats-io/transport-node';
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { internalError, Rejection } from '@practice/core';
import { firstValueFrom, isObservable } from 'rxjs';
import { cut } from './chunks.js';
import type { Connection } from './connection.js';
import { decodeFrame, encodeFrame, FrameVersionError, FRAME_OVERHEAD, wholeEntry } from './frame.js';
import type { Entry, Outgoing } from './frame.js';
import { FrameContext } from './frame-context.js';
import { createFrameQueue } from './frame-queue.js';
import type { FrameQueue } from './frame-queue.js';
import { createInWork } from './in-work.js';
import { problemReply, unavailable } from './reply.js';
import type { FrameRequest, Reply, Envelope } from './request.js';
import { replySubject, requesterOf, requestSubject, UNKNOWN_VERSION } from './subjects.js';

export interface FrameServerOptions {
  readonly connection: Connection;
  /** The name of the service. Its processes share the requests as one queue group. */
  readonly service: string;
  /** Called with every error that is not a `Rejection`; `envelope` is the request's, if known. Callers see only the request id. */
  readonly onError: (error: unknown, envelope?: Envelope) => void;
  /** Concurrent requests; the next one gets 503 before any work is done. */
  readonly maxInWork?: number;
  /** How long `close` waits for requests in progress. */
  readonly drainMs?: number;
}

type Handler = MessageHandler<FrameRequest, FrameContext, Reply>;

export class FrameServer extends Server implements CustomTransportStrategy {
  private readonly nats: NatsConnection;
  private readonly queue: FrameQueue<Outgoing>;
  /** Size limit of a frame of replies, in bytes. */
  private readonly limit: number;
  private readonly inWork = createInWork();
  private subscription: Subscription | undefined;
  private closing: Promise<void> | undefined;

  constructor(private readonly options: FrameServerOptions) {
    super();
    this.nats = options.connection.nats;
    this.limit = Math.floor(options.connection.maxPayload / 2) - FRAME_OVERHEAD;
    this.queue = createFrameQueue({
      limit: this.limit,
      // Under load more replies are about to follow; together they cost one message.
      mayWait: (_requester, { entries }) => entries.length < this.inWork.count(),
      send: (requester, { entries, size }) =>
        this.publish(replySubject(requester), encodeFrame(entries, size)),
    });
  }

  /** Calls back once the NATS server knows the subscription. */
  listen(callback: (error?: unknown) => void): void {
    const { service } = this.options;
    this.subscription = this.nats.subscribe(requestSubject(service), {
      queue: service,
      callback: (error, message) => {
        if (error) this.options.onError(error);
        else this.receive(message);
      },
    });
    this.nats.flush().then(() => callback(), callback);
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
    await this.subscription?.drain();
    await this.inWork.settled(this.options.drainMs ?? 10_000);
    this.queue.flush();
    await this.nats.flush();
  }

  private receive(message: Msg): void {
    const requester = requesterOf(message.reply ?? '');
    if (requester === '') return this.options.onError(new Error('a request has no reply subject'));
    try {
      for (const entry of decodeFrame(message.data)) this.serve(requester, entry);
    } catch (error) {
      this.options.onError(error);
      if (error instanceof FrameVersionError)
        message.respond(undefined, { headers: headers(UNKNOWN_VERSION, error.message) });
    }
  }

  private serve(requester: string, entry: Entry): void {
    const envelope = JSON.parse(entry.envelope) as Envelope;
    if (envelope.deadline < Date.now()) return;
    const answer = (reply: Reply): void => {
      try {
        this.answer(requester, entry.id, reply);
      } catch (error) {
        this.answer(requester, entry.id, this.replyTo(error, envelope));
      }
    };
    const { service, maxInWork = 2_000 } = this.options;
    if (this.inWork.count() >= maxInWork)
      return answer(problemReply(unavailable(service, 'has too much to do').problem));
    const handler = this.messageHandlers.get(envelope.op) as Handler | undefined;
    if (handler === undefined)
      return answer(this.replyTo(new Error(`there is no handler for '${envelope.op}'`), envelope));
    this.inWork.begin();
    const finish = (reply: Reply): void => {
      this.inWork.end();
      answer(reply);
    };
    const fail = (error: unknown): void => finish(this.replyTo(error, envelope));
    handler({ envelope, body: entry.body }, new FrameContext([envelope])).then((result) => {
      if (isObservable(result)) firstValueFrom(result).then(finish, fail);
      else finish(result);
    }, fail);
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
