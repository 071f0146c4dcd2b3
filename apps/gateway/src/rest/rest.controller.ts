import { All, Controller, Req, Res } from '@nestjs/common';
import { Responses } from '../http/responses.js';
import type { HttpReply, HttpRequest } from '../http/request.js';
import { FairQueue } from '../limits/fair-queue.js';
import { isRead, parse } from '../parse/parse.js';
import { envelopeOf } from '../route/envelope.js';
import { responseOf } from '../route/response.js';
import { Router } from '../route/route.js';

@Controller('rest/v1')
export class RestController {
  // Separate queues: a practice's writes, which run one after the other, must not delay its reads.
  private readonly reads = new FairQueue();
  private readonly writes = new FairQueue();

  constructor(
    private readonly router: Router,
    private readonly responses: Responses,
  ) {}

  @All('*')
  async handle(@Req() request: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    const call = parse(request);
    const envelope = envelopeOf(request, call);
    const queue = isRead(call) ? this.reads : this.writes;
    const turn = queue.take(envelope.therapistId);
    if (turn !== undefined) await turn;
    try {
      // The caller may have disconnected while it waited.
      if (reply.raw.destroyed) return;
      this.responses.send(request, reply, responseOf(await this.router.route(call, envelope)));
    } finally {
      queue.done(envelope.therapistId);
    }
  }
}
