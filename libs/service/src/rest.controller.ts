import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { MessagePattern } from '@nestjs/microservices';
import { Rejection } from '@practice/core';
import { failureReply, problemReply } from '@practice/messaging';
import type { FrameRequest, Reply, RequestHead } from '@practice/messaging';
import { parseRequest } from '@practice/query';
import type { SemiJoinKeys, RestRequest } from '@practice/query';
import { LOGGER } from './process/logging.js';
import type { Logger } from './process/logging.js';
import { Read } from './read/read.query.js';
import { hashOf } from './write/idempotency.js';
import { Write } from './write/write.command.js';
import type { Origin } from './write/write.command.js';

/** What the gateway says of an HTTP request on the bus, beside its body. */
export type RestHead = Pick<RestRequest, 'method' | 'resource' | 'query' | 'headers'> & {
  readonly idempotencyKey?: string | undefined;
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  /** The answer is put together from several services': what is known of their records already. */
  readonly semiJoinKeys?: readonly SemiJoinKeys[] | undefined;
};

/** The service's one door: a request in the dialect becomes a query or a command, and its result the reply. */
@Controller()
export class RestController {
  constructor(
    private readonly queries: QueryBus,
    private readonly commands: CommandBus,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @MessagePattern('rest')
  async handle({ head, body }: FrameRequest<RestHead>): Promise<Reply> {
    const started = performance.now();
    const reply = await this.answer(head, body).catch((error: unknown) => this.refusal(error, head));
    this.logger.info({
      requestId: head.requestId,
      resource: head.resource,
      operation: head.method,
      status: reply.status,
      ms: Math.round((performance.now() - started) * 100) / 100,
    });
    return reply;
  }

  private async answer(head: RequestHead<RestHead>, body: Buffer): Promise<Reply> {
    const { method, resource, query, headers } = head;
    const request = parseRequest({ method, resource, query, headers, body });
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const reply = isRead
      ? await this.queries.execute(new Read(request, head, head.ifNoneMatch))
      : await this.commands.execute(new Write(request, originOf(head, body)));
    return { status: reply.status, headers: reply.headers, body: reply.body ?? '' };
  }

  private refusal(error: unknown, { requestId }: RequestHead): Reply {
    if (error instanceof Rejection) return problemReply(error.problem);
    this.logger.error({ err: error, requestId }, 'request failed');
    return failureReply(requestId);
  }
}

function originOf(head: RequestHead<RestHead>, body: Buffer): Origin {
  const { idempotencyKey: key, method, resource, query, headers } = head;
  if (key === undefined) return head;
  // Not `Accept`: clients add one of their own, and who repeats a write with another one gets the first answer as it was.
  return { ...head, repeatable: { key, hash: hashOf([method, resource, query, headers.prefer, body]) } };
}
