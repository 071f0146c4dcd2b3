import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { MessagePattern } from '@nestjs/microservices';
import { Rejection } from '@practice/core';
import { jsonReply, problemReply, type FrameRequest, type InPractice, type Reply } from '@practice/bus';
import { asProblem } from '@practice/storage';
import { AgreeToDeletions } from './agree-to-deletions.command.js';
import type { DeletionQuestion } from '@practice/mirror';

/** The side of a deletion in a service that may refer to the records. */
@Controller()
export class DeletionController {
  constructor(private readonly commands: CommandBus) {}

  @MessagePattern('deletion')
  async handle({ envelope, body }: FrameRequest<InPractice>): Promise<Reply> {
    const question = JSON.parse(body.toString()) as DeletionQuestion;
    const { therapistId, requestId, deadline } = envelope;
    try {
      const caller = { therapistId, requestId, deadline };
      const answer = await this.commands.execute(new AgreeToDeletions(question, caller));
      return jsonReply(answer);
    } catch (error) {
      const problem = asProblem(error);
      if (problem instanceof Rejection) return problemReply(problem.problem);
      throw problem;
    }
  }
}
