import { Controller } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { ERASE_FROM_BUS, ERASED_PART, type ErasureQuestion } from '@practice/contracts';
import { jsonReply, type FrameRequest, type InPractice, type Reply } from '@practice/bus';
import { ErasedParts } from './erased-parts.js';

/** Answers the requests of the service that manages erasures. */
@Controller()
export class ErasedPartController {
  constructor(private readonly parts: ErasedParts) {}

  @MessagePattern(ERASED_PART)
  async part({ envelope, body }: FrameRequest<InPractice>): Promise<Reply> {
    return jsonReply(await this.parts.read(envelope.therapistId, clientIn(body)));
  }

  @MessagePattern(ERASE_FROM_BUS)
  async eraseFromBus({ envelope, body }: FrameRequest<InPractice>): Promise<Reply> {
    await this.parts.eraseFromBus(envelope.therapistId, clientIn(body));
    return jsonReply(null);
  }
}

const clientIn = (body: Buffer): string => (JSON.parse(body.toString()) as ErasureQuestion).clientId;
