import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { MessagePattern } from '@nestjs/microservices';
import { internalError, Rejection, TextCache } from '@practice/core';
import { problemReply } from '@practice/messaging';
import type { Envelope, FrameRequest, Reply } from '@practice/messaging';
import { fromWire, PreparedRead, PreparedSubquery, rowsFromWire, subqueryFromWire } from '@practice/query';
import type { RestResponse, WireQuestion, WireRequest } from '@practice/query';
import type { CommandFields, QueryFields, SubqueryFields } from './messages.js';
import { LOGGER } from '@practice/process';
import type { Logger } from '@practice/process';
import { Read } from './read/read.query.js';
import { ReadSubquery } from './read/subquery.query.js';
import { Write } from './write/write.command.js';

/** The entry point of a service for parsed queries and commands: each goes to its bus, and the result is the reply. */
@Controller()
export class MessageController {
  private readonly reads = new TextCache<PreparedRead>();
  private readonly subqueries = new TextCache<PreparedSubquery>();

  constructor(
    private readonly queries: QueryBus,
    private readonly commands: CommandBus,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @MessagePattern('query')
  query({ envelope, body }: FrameRequest<QueryFields>): Promise<Reply> {
    const prepared = this.reads.get(body.toString(), readOf);
    return this.reply(envelope, prepared.request, () =>
      this.queries.execute(new Read(prepared, envelope, envelope.ifNoneMatch)),
    );
  }

  @MessagePattern('command')
  command({ envelope, body }: FrameRequest<CommandFields>): Promise<Reply> {
    const { request } = envelope;
    return this.reply(envelope, request, () =>
      this.commands.execute(new Write(fromWire(request, rowsFromWire(body.toString())), envelope)),
    );
  }

  @MessagePattern('subquery')
  subquery({ envelope, body }: FrameRequest<SubqueryFields>): Promise<Reply> {
    const [question = '', keys = ''] = body.toString().split('\n');
    const prepared = this.subqueries.get(question, subqueryOf);
    const wanted = keys === '' ? [] : (JSON.parse(keys) as (string | null)[]);
    return this.reply(envelope, { method: 'GET', resource: prepared.subquery.resource }, () =>
      this.queries.execute(new ReadSubquery(prepared, wanted, envelope)),
    );
  }

  /** Runs a request and logs one line about it. */
  private async reply(
    envelope: Envelope,
    { method, resource }: { readonly method: string; readonly resource: string },
    run: () => Promise<RestResponse>,
  ): Promise<Reply> {
    const started = performance.now();
    const { requestId } = envelope;
    const reply = await answered(run).catch((error: unknown) => this.problem(error, requestId));
    this.logger.info({
      requestId,
      resource,
      operation: method,
      status: reply.status,
      ms: Math.round((performance.now() - started) * 100) / 100,
    });
    return reply;
  }

  private problem(error: unknown, requestId: string): Reply {
    if (error instanceof Rejection) return problemReply(error.problem);
    this.logger.error({ err: error, requestId }, 'request failed');
    return problemReply(internalError(requestId));
  }
}

const readOf = (text: string): PreparedRead =>
  new PreparedRead(fromWire(JSON.parse(text) as WireRequest, []));

function subqueryOf(text: string): PreparedSubquery {
  const { subquery, result } = JSON.parse(text) as WireQuestion;
  return new PreparedSubquery(subqueryFromWire(subquery), result);
}

async function answered(run: () => Promise<RestResponse>): Promise<Reply> {
  const { status, headers, body } = await run();
  return { status, headers, body: body ?? '' };
}
