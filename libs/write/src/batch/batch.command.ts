import { Command } from '@nestjs/cqrs';
import type { RestResponse, WireBatch } from '@practice/query';
import type { Origin } from '../engine/write.command.js';

/** The operations of a batch that the service carries out: one transaction and one change. The body of the response is a `WireBatchReply`. */
export class Batch extends Command<RestResponse> {
  constructor(
    readonly batch: WireBatch,
    readonly origin: Origin,
  ) {
    super();
  }
}
