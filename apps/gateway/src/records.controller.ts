import { All, Controller, Req, Res } from '@nestjs/common';
import type { Admitted, HttpReply, HttpRequest } from './http/request.js';
import { Responses } from './http/responses.js';
import { FairQueues } from './limits/fair-queues.js';
import { answer, parse, route, type Services } from './pipeline.js';
import { Router } from './route/route.js';

/** Reads and writes of records, and calls of functions. */
@Controller('rest/v1')
export class RecordsController implements Services {
  constructor(
    readonly queues: FairQueues,
    readonly router: Router,
    private readonly responses: Responses,
  ) {}

  /** `_reply` is needed because Nest sends no response itself if a handler takes the reply. */
  @All('*')
  async handle(@Req() { stage }: HttpRequest, @Res() _reply: HttpReply): Promise<void> {
    const routed = await route(await parse(stage as Admitted), this);
    if (routed !== undefined) answer(routed, this.responses);
  }
}
