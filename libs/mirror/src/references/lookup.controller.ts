import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { MessagePattern } from '@nestjs/microservices';
import { jsonReply, type FrameRequest, type InPractice, type Reply } from '@practice/bus';
import { LookUpRecords, type LookUpQuestion } from './look-up-records.query.js';

/** Answers other services' questions about records of this service. */
@Controller()
export class LookupController {
  constructor(private readonly queries: QueryBus) {}

  @MessagePattern('lookup')
  async lookup({ envelope, body }: FrameRequest<InPractice>): Promise<Reply> {
    const question = JSON.parse(body.toString()) as LookUpQuestion;
    return jsonReply(await this.queries.execute(new LookUpRecords(envelope.therapistId, question)));
  }
}
