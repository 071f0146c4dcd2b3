import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { asReader, processTime, TextCache, type Envelope } from '@practice/core';
import { CallPattern, type FrameRequest, type Reply } from '@practice/bus';
import { PreparedRead, PreparedSubquery, readFromWire, rowsFromWire } from '@practice/query';
import type {
  CommandFields,
  ParsedRequest,
  QueryFields,
  SubqueryFields,
  WireQuestion,
} from '@practice/query';
import { Read, ReadSubquery, type Reader } from '@practice/read';
import { Replies } from './replies.js';
import { Write, type Origin } from '@practice/write';

/** The entry point of a service for parsed queries and commands. Each is sent to its bus, and the result becomes the reply. */
@Controller()
export class MessageController {
  private readonly reads = new TextCache<PreparedRead>();
  private readonly subqueries = new TextCache<PreparedSubquery>();

  constructor(
    private readonly queries: QueryBus,
    private readonly commands: CommandBus,
    private readonly replies: Replies,
  ) {}

  @CallPattern('query')
  query({ envelope, body }: FrameRequest<QueryFields>): Promise<Reply> {
    const { shape, given } = readFromWire(body.toString());
    const prepared = this.reads.get(shape, readOf);
    return this.replies.reply(envelope, prepared.request, () =>
      this.queries.execute(new Read(prepared, readerOf(envelope), given, envelope.ifNoneMatch)),
    );
  }

  @CallPattern('command')
  command({ envelope, body }: FrameRequest<CommandFields>): Promise<Reply> {
    const { request } = envelope;
    return this.replies.reply(envelope, request, async () => {
      const origin = originOf(envelope);
      const rows = await processTime.run(origin, rowsFromWire(body.toString()));
      return this.commands.execute(new Write({ ...request, rows }, origin));
    });
  }

  @CallPattern('subquery')
  subquery({ envelope, body }: FrameRequest<SubqueryFields>): Promise<Reply> {
    const [question = '', keys = ''] = body.toString().split('\n');
    const prepared = this.subqueries.get(question, subqueryOf);
    const wanted = keys === '' ? [] : (JSON.parse(keys) as (string | null)[]);
    return this.replies.reply(envelope, { method: 'GET', resource: prepared.subquery.resource }, () =>
      this.queries.execute(new ReadSubquery(prepared, wanted, readerOf(envelope))),
    );
  }
}

/** The reader of a query. `Object.assign` because in Node 20 the objects made by a spread survive the next garbage collection. */
const readerOf = ({ identity, requestId, semiJoinKeys }: Envelope<QueryFields | SubqueryFields>): Reader =>
  Object.assign({ requestId, semiJoinKeys }, asReader(identity), { practiceRole: identity.practiceRole });

function originOf(envelope: Envelope<CommandFields>): Origin {
  const { requestId, traceparent, deadline, gone, repeatable, reason, ifMatch, semiJoinKeys } = envelope;
  return Object.assign(
    { requestId, traceparent, deadline, gone, repeatable, reason, ifMatch, semiJoinKeys },
    envelope.identity,
  );
}

const readOf = (shape: string): PreparedRead => new PreparedRead(JSON.parse(shape) as ParsedRequest);

function subqueryOf(text: string): PreparedSubquery {
  const { subquery, result } = JSON.parse(text) as WireQuestion;
  return new PreparedSubquery(subquery, result);
}
