// The answering side, as a transport strategy of Nest: handlers are controllers' `@MessagePattern(op)` methods that
// take a `FrameRequest` and return a `Reply`. No observable is made for a handler that returns a promise.

import { Server } from '@nestjs/microservices';
import type { CustomTransportStrategy, MessageHandler } from '@nestjs/microservices';
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { Rejection } from '@practice/core';
import { firstValueFrom, isObservable } from 'rxjs';
import { cut } from './chunks.js';
import type { Connection } from './connection.js';
import { decodeFrame, encodeFrame, wholeEntry } from './frame.js';
import type { Entry, Outgoing } from './frame.js';
import { FrameContext } from './frame-context.js';
import { createFrameQueue } from './frame-queue.js';
import type { FrameQueue } from './frame-queue.js';
import { createInWork } from './in-work.js';
import { failureReply, problemReply, unavailable } from './reply.js';
import type { FrameRequest, Reply, RequestHead } from './request.js';
import { replySubject, requesterOf, requestSubject } from './subjects.js';

export interface FrameServerOptions {
  readonly connection: Connection;
  /** The name of the service: its processes share the requests as one queue group. */
  readonly service: string;
  /** Told every failure that is not a refusal; `head` where it is known whose. Callers learn only the request id. */
  readonly onError: (error: unknown, head?: RequestHead) => void;
  /** Requests in work at the same time; one more is refused with 503 before any work is done. */
  readonly maxInWork?: number;
  /** How long `close` lets requests in work finish. */
  readonly drainMs?: number;
}

type Handler = MessageHandler<FrameRequest, FrameContext, Reply>;

export class FrameServer extends Server implements CustomTransportStrategy {
  private readonly nats: NatsConnection;
  private readonly queue: FrameQueue<Outgoing>;
  /** Bytes of one frame of replies. */
  private readonly limit: number;
  private readonly inWork = createInWork();
  private subscription: Subscription | undefined;
  private closing: Promise<void> | undefined;

  constructor(private readonly options: FrameServerOptions) {
    super();
    this.nats = options.connection.nats;
    this.limit = Math.floor(options.connection.maxPayload / 2);
    this.queue = createFrameQueue({
      limit: this.limit,
      // Under load the next answers are near: together with them, these cost the bus one message instead of many.
      mayWait: (_requester, { entries }) => entries.length < this.inWork.count(),
      send: (requester, { entries, size }) =>
        this.publish(replySubject(requester), encodeFrame(entries, size)),
    });
  }

  /** Calls back once the server knows that this process answers. */
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

  /** Takes no more requests, lets those in work finish, and sends their replies. The connection stays open. */
  close(): Promise<void> {
    this.closing ??= this.drain();
    return this.closing;
  }

  /** How many requests are in work. */
  get busy(): number {
    return this.inWork.count();
  }

  on(): never {
    throw new Error('a FrameServer has no events of its own; its connection tells what happens to it');
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
    if (requester === '') return this.options.onError(new Error('a request names no subject to reply to'));
    try {
      for (const entry of decodeFrame(message.data)) this.serve(requester, entry);
    } catch (error) {
      this.options.onError(error);
    }
  }

  private serve(requester: string, entry: Entry): void {
    const head = JSON.parse(entry.head) as RequestHead;
    if (head.deadline < Date.now()) return;
    const answer = (reply: Reply): void => {
      try {
        this.answer(requester, entry.id, reply);
      } catch (error) {
        this.answer(requester, entry.id, this.replyTo(error, head));
      }
    };
    const { service, maxInWork = 2_000 } = this.options;
    if (this.inWork.count() >= maxInWork)
      return answer(problemReply(unavailable(service, 'has too much to do').problem));
    const handler = this.messageHandlers.get(head.op) as Handler | undefined;
    if (handler === undefined)
      return answer(this.replyTo(new Error(`no handler answers '${head.op}'`), head));
    this.inWork.begin();
    const finish = (reply: Reply): void => {
      this.inWork.end();
      answer(reply);
    };
    const fail = (error: unknown): void => finish(this.replyTo(error, head));
    handler({ head, body: entry.body }, new FrameContext([head])).then((result) => {
      if (isObservable(result)) firstValueFrom(result).then(finish, fail);
      else finish(result);
    }, fail);
  }

  private replyTo(error: unknown, head: RequestHead): Reply {
    if (error instanceof Rejection) return problemReply(error.problem);
    this.options.onError(error, head);
    return failureReply(head.requestId);
  }

  private answer(requester: string, id: number, reply: Reply): void {
    const head = JSON.stringify({ status: reply.status, headers: reply.headers });
    for (const part of cut(wholeEntry(id, head, reply.body), this.limit)) this.queue.add(requester, part);
  }

  private publish(subject: string, frame: Buffer): void {
    try {
      this.nats.publish(subject, frame);
    } catch (error) {
      this.options.onError(error);
    }
  }
}
