import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { MessagePattern } from '@nestjs/microservices';
import { MOST_ASKED_CHANGES, RECORD_CHANGES, type AskedChange } from '@practice/contracts';
import type { FrameRequest, InPractice, Reply } from '@practice/bus';
import { ReadRecordChanges } from './record-changes.query.js';

/** Answers with the records of this service before and after changes, without confidential columns. */
@Controller()
export class RecordChangesController {
  constructor(private readonly queries: QueryBus) {}

  /**
   * The body is a list of `AskedChange`. The reply is a list of `ToldChange` in the same order: one for each change that the log
   * has. The status is 206 if no more changes fit; the caller must ask again for the changes after the last one.
   */
  @MessagePattern(RECORD_CHANGES)
  async changes({ envelope: { therapistId }, body }: FrameRequest<InPractice>): Promise<Reply> {
    const asked = JSON.parse(body.toString()) as AskedChange[];
    if (asked.length > MOST_ASKED_CHANGES) throw new Error('a question is about too many changes');
    const { told, isWhole } = await this.queries.execute(new ReadRecordChanges(therapistId, asked));
    return { status: isWhole ? 200 : 206, headers: {}, body: `[${told.join()}]` };
  }
}
