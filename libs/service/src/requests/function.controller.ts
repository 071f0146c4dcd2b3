import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { jsonIn, processTime, TextCache, type Envelope } from '@practice/core';
import { CallPattern, type FrameRequest, type Reply } from '@practice/bus';
import { PreparedCall } from '@practice/query';
import type { FunctionFields, ParsedRequest, RestResponse } from '@practice/query';
import { callOf } from './call-of.js';
import { Replies } from './replies.js';
import { CallFunction, ReadFunction, Functions } from '@practice/write';
import type { Called } from '@practice/write';

/** The entry point of a service for calls of its functions. */
@Controller()
export class FunctionController {
  private readonly prepared = new TextCache<PreparedCall>();

  constructor(
    private readonly functions: Functions,
    private readonly queries: QueryBus,
    private readonly commands: CommandBus,
    private readonly replies: Replies,
  ) {}

  @CallPattern('read-function')
  read(request: FrameRequest<FunctionFields>): Promise<Reply> {
    return this.reply(request, 'reads', (called) => this.queries.execute(new ReadFunction(called)));
  }

  /** The service's part of a reading function of several services: the rows that its handler returns, as JSON. */
  @CallPattern('function-part')
  part(request: FrameRequest<FunctionFields>): Promise<Reply> {
    return this.reply(request, 'reads', (called) => this.queries.execute(new ReadFunction(called, true)));
  }

  @CallPattern('write-function')
  write(request: FrameRequest<FunctionFields>): Promise<Reply> {
    return this.reply(request, 'writes', (called) => this.commands.execute(new CallFunction(called)));
  }

  private reply(
    { envelope, body }: FrameRequest<FunctionFields>,
    effect: 'reads' | 'writes',
    carryOut: (called: Called) => Promise<RestResponse>,
  ): Promise<Reply> {
    const [question = '', text = '', parts] = body.toString().split('\n');
    const { method, resource } = JSON.parse(question) as ParsedRequest;
    return this.replies.reply(envelope, { method, resource: `rpc/${resource}` }, async () => {
      const prepared = this.prepared.get(question, (text) => this.prepare(text));
      if (prepared.definition.effect !== effect)
        throw new Error(`${resource} is not a function that ${effect}`);
      const { identity, deadline, gone } = envelope;
      const payer = { therapistId: identity.therapistId, deadline, gone };
      const given = await processTime.read(payer, text.length, jsonIn(text, { depth: Infinity }));
      return carryOut(calledOf(envelope, prepared, { given: given as Called['given'], parts }));
    });
  }

  private prepare(question: string): PreparedCall {
    const request = JSON.parse(question) as ParsedRequest;
    return new PreparedCall(this.functions.get(request.resource).definition, request);
  }
}

function calledOf(
  envelope: Envelope<FunctionFields>,
  prepared: PreparedCall,
  { given, parts }: Pick<Called, 'given'> & { readonly parts: string | undefined },
): Called {
  const { repeatable, ifMatch } = envelope;
  return {
    prepared,
    repeatable,
    ifMatch,
    given,
    call: { ...callOf(envelope), workSecret: envelope.workSecret },
    ...(parts === undefined ? {} : { parts: JSON.parse(parts) as readonly object[] }),
  };
}
