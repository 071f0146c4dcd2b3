// The way of a request for records: receive → authenticate → limit → read the body → parse (and check the token's scopes) → route or compose → respond. Nest runs
// `admission` as global guards before any route, so no route can be reached without them; `handle` is the rest.

import { All, Controller, Req, Res } from '@nestjs/common';
import type { Provider } from '@nestjs/common';
import type { Identity } from '@practice/core';
import { APP_GUARD } from '@nestjs/core';
import { ApiKeyGuard } from './authentication/api-key.guard.js';
import { requireScopes } from './authentication/scopes.js';
import { JwtGuard } from './authentication/jwt.guard.js';
import { BodyGuard } from './http/body.guard.js';
import type { HttpReply, HttpRequest } from './http/request.js';
import { Responses } from './http/responses.js';
import { FairQueues } from './limits/fair-queues.js';
import { LimitsGuard } from './limits/limits.guard.js';
import { parse } from './parse/parse.js';
import type { Call } from './parse/parse.js';
import { envelopeOf } from './route/envelope.js';
import { responseOf } from './route/response.js';
import { Router } from './route/route.js';

/** The API key, the user's token and the number of requests, all from the headers; then the body is read. */
export const admission: readonly Provider[] = [ApiKeyGuard, JwtGuard, LimitsGuard, BodyGuard].map(
  (guard) => ({
    provide: APP_GUARD,
    useClass: guard,
  }),
);

@Controller('rest/v1')
export class Pipeline {
  constructor(
    private readonly queues: FairQueues,
    private readonly router: Router,
    private readonly responses: Responses,
  ) {}

  /** A stage that rejects the request throws a `Rejection`; `ProblemFilter` turns it into the response. */
  @All('*')
  async handle(@Req() received: HttpRequest, @Res() reply: HttpReply): Promise<void> {
    received.timings?.end('receive');
    const call = parse(received);
    received.target = targetOf(call);
    requireScopes(received.identity as Identity, call);
    const envelope = envelopeOf(received, call);
    received.timings?.end('parse');
    const turn = this.queues.enter(envelope);
    if (turn !== undefined) await turn;
    received.timings?.end('queue');
    try {
      // The caller may have disconnected while it waited.
      if (reply.raw.destroyed) return;
      reply.raw.once('close', () => {
        if (!reply.raw.writableFinished) this.router.giveUp(received);
      });
      const answer = await this.router.route(call, envelope);
      received.timings?.end('service');
      this.responses.send(received, reply, responseOf(answer));
    } finally {
      this.queues.leave(envelope);
    }
  }
}

const targetOf = (call: Call): string =>
  call.kind === 'function' ? `rpc/${call.definition.name}` : call.resource.name;
