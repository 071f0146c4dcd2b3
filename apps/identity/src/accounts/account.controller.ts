import { Controller, Inject } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { authProblemResponse, users } from '@practice/contracts';
import type { AccountEnvelope, AuthProblem } from '@practice/contracts';
import { Rejection } from '@practice/core';
import type { Envelope, FrameRequest, Reply } from '@practice/messaging';
import { LOGGER } from '@practice/process';
import type { Logger } from '@practice/process';
import { asProblem } from '@practice/service';
import type { AccountCall, AccountReply, Handlers } from './call.js';
import { fieldsOf } from './fields.js';
import { InfoCalls } from './info-calls.js';
import { notOffered } from './not-offered.js';
import { RecoveryCalls } from './recovery-calls.js';
import { SessionCalls } from './session-calls.js';
import { TokenCalls } from './token-calls.js';
import { UserCalls } from './user-calls.js';

/** Answers the calls of the auth API that gateways forward. */
@Controller()
export class AccountController {
  private readonly handlers: Handlers;

  constructor(
    sessions: SessionCalls,
    users: UserCalls,
    recovery: RecoveryCalls,
    tokens: TokenCalls,
    info: InfoCalls,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.handlers = {
      ...sessions.handlers,
      ...users.handlers,
      ...recovery.handlers,
      ...tokens.handlers,
      ...info.handlers,
      ...notOffered,
    };
  }

  @MessagePattern('account')
  async handle({ envelope, body }: FrameRequest<AccountEnvelope>): Promise<Reply> {
    const started = performance.now();
    const reply = await this.answer(envelope, body).catch((error: unknown) =>
      authProblemResponse(this.problemOf(error, envelope), envelope.apiVersion),
    );
    this.logger.info({
      requestId: envelope.requestId,
      operation: envelope.route,
      status: reply.status,
      ms: Math.round((performance.now() - started) * 100) / 100,
    });
    return reply;
  }

  private async answer(envelope: Envelope<AccountEnvelope>, body: Buffer): Promise<Reply> {
    return replyOf(await this.handlers[envelope.route](callOf(envelope, body)));
  }

  private problemOf(error: unknown, { requestId }: Envelope): AuthProblem {
    const problem = asProblem(error, users);
    if (problem instanceof Rejection) return problem.problem;
    this.logger.error({ err: error, requestId }, 'request failed');
    return { status: 500, code: 'unexpected_failure', message: `Internal error. Request id ${requestId}` };
  }
}

function callOf(envelope: Envelope<AccountEnvelope>, body: Buffer): AccountCall {
  const { therapistId, sessionId, requestId, traceparent } = envelope;
  return {
    identity: { therapistId, ...(sessionId === undefined ? {} : { sessionId }) },
    trace: { requestId, ...(traceparent === undefined ? {} : { traceparent }) },
    method: envelope.method,
    id: envelope.id ?? '',
    parameters: new URLSearchParams(envelope.query),
    address: envelope.address,
    isForCookies: envelope.isForCookies === true,
    fields: () => fieldsOf(body),
  };
}

function replyOf({ status = 200, headers = {}, body }: AccountReply): Reply {
  if (body === undefined) return { status, headers, body: '' };
  const type = { 'Content-Type': 'application/json; charset=utf-8' };
  return { status, headers: { ...type, ...headers }, body: JSON.stringify(body) };
}
