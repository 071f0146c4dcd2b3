// The requests of gateways that concern exports. The hash of a link's secret names the export, so these requests need no identity.

import { Controller } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { type FrameRequest, jsonReply, type Reply } from '@practice/bus';
import { EXPORT_ARCHIVE, EXPORT_WORK, type ExportArchive, type ExportWork } from '@practice/contracts';
import { DeliveredArchives } from './archives.js';
import { ExportWorkSteps } from './export-work.js';

@Controller()
export class ExportController {
  constructor(
    private readonly steps: ExportWorkSteps,
    private readonly delivered: DeliveredArchives,
  ) {}

  @MessagePattern(EXPORT_WORK)
  async work({ envelope, body }: FrameRequest<ExportWork>): Promise<Reply> {
    return replyOf(await this.steps.take(envelope, body));
  }

  @MessagePattern(EXPORT_ARCHIVE)
  async archive({ envelope }: FrameRequest<ExportArchive>): Promise<Reply> {
    if (envelope.step === 'open') return replyOf(await this.delivered.open(envelope, envelope));
    const sealed = await this.delivered.part(envelope, envelope.index);
    return sealed === undefined ? ENDED : { status: 200, headers: {}, body: sealed };
  }
}

const ENDED: Reply = { status: 404, headers: {}, body: '' };

const replyOf = (result: object | boolean | undefined): Reply =>
  result === undefined || result === false ? ENDED : jsonReply(result);
