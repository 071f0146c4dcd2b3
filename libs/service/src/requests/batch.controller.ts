import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { jsonIn, processTime, type Envelope } from '@practice/core';
import { CallPattern, type FrameRequest, type Reply } from '@practice/bus';
import type { BatchFields, WireBatch, WireTakeBack } from '@practice/query';
import { Batch, TakeBack, type Origin } from '@practice/write';
import { callOf } from './call-of.js';
import { Replies } from './replies.js';

const ASKED = { method: 'POST', resource: 'rpc/batch' };

/** The entry point of a service for its part of a batch, and for taking that part back. */
@Controller()
export class BatchController {
  constructor(
    private readonly commands: CommandBus,
    private readonly replies: Replies,
  ) {}

  @CallPattern('batch')
  carryOut({ envelope, body }: FrameRequest<BatchFields>): Promise<Reply> {
    return this.replies.reply(envelope, ASKED, async () => {
      const origin = originOf(envelope);
      const batch = await processTime.read(origin, body.length, jsonIn(body.toString(), { depth: Infinity }));
      return this.commands.execute(new Batch(batch as WireBatch, origin));
    });
  }

  @CallPattern('take-back')
  takeBack({ envelope, body }: FrameRequest<BatchFields>): Promise<Reply> {
    return this.replies.reply(envelope, { ...ASKED, method: 'DELETE' }, () => {
      const { repeatable } = envelope;
      if (repeatable === undefined) throw new Error('a part of a batch is taken back by its key');
      const wire = JSON.parse(body.toString()) as WireTakeBack;
      return this.commands.execute(new TakeBack(callOf(envelope), repeatable, wire));
    });
  }
}

function originOf(envelope: Envelope<BatchFields>): Origin {
  const { requestId, traceparent, deadline, gone, repeatable, reason, identity } = envelope;
  return { ...identity, requestId, traceparent, deadline, gone, repeatable, reason };
}
