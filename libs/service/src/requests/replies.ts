import { Inject, Injectable } from '@nestjs/common';
import { internalError, Rejection, type Identity, type Problem } from '@practice/core';
import { problemReply, type Reply } from '@practice/bus';
import { countUse } from '@practice/metrics';
import { LOGGER, type Logger } from '@practice/process';
import type { RestResponse } from '@practice/query';
import { isTracing, traceIdOf } from '@practice/tracing';
import { replyInSpan } from './reply-span.js';
import { observeReply } from './reply-metrics.js';

/** The parts of an envelope that are logged. */
interface Replied {
  readonly requestId: string;
  readonly traceparent?: string;
  readonly identity: Identity;
}

interface Asked {
  readonly method: string;
  readonly resource: string;
}

/** Turns the result or the error of a request into the reply, and logs one line about it. Undefined fields are left out of the line. */
@Injectable()
export class Replies {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  reply(request: Replied, asked: Asked, run: () => Promise<RestResponse>): Promise<Reply> {
    return isTracing()
      ? replyInSpan(request, asked, () => this.carryOut(request, asked, run))
      : this.carryOut(request, asked, run);
  }

  private async carryOut(
    { requestId, traceparent, identity }: Replied,
    { method, resource }: Asked,
    run: () => Promise<RestResponse>,
  ): Promise<Reply> {
    const started = performance.now();
    let code: string | undefined;
    const reply = await answered(run).catch((error: unknown) => {
      const problem = this.problemOf(error, requestId);
      ({ code } = problem);
      return problemReply(problem);
    });
    const ms = performance.now() - started;
    countUse(identity.therapistId, ms);
    observeReply({ resource, operation: method, status: reply.status, code }, ms);
    this.logger.info({
      requestId,
      traceId: traceIdOf(traceparent),
      therapistId: identity.therapistId,
      userId: identity.userId,
      tokenId: identity.tokenId,
      resource,
      operation: method,
      status: reply.status,
      code,
      ms: Math.round(ms * 100) / 100,
    });
    return reply;
  }

  private problemOf(error: unknown, requestId: string): Problem {
    if (error instanceof Rejection) return error.problem;
    this.logger.error({ err: error, requestId }, 'request failed');
    return internalError(requestId);
  }
}

async function answered(run: () => Promise<RestResponse>): Promise<Reply> {
  const { status, headers, body } = await run();
  return { status, headers, body: body ?? '' };
}
