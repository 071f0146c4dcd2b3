import { Command } from '@nestjs/cqrs';
import type { Repeatable, RestResponse, WireTakeBack } from '@practice/query';
import type { FunctionCall } from '../functions/function-handler.js';

/** Takes back a part of a batch. If the part was not carried out, it is never carried out later. */
export class TakeBack extends Command<RestResponse> {
  constructor(
    readonly call: FunctionCall,
    readonly repeatable: Repeatable,
    readonly wire: WireTakeBack,
  ) {
    super();
  }
}
