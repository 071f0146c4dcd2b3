import { Controller, Inject } from '@nestjs/common';
import { authProblemResponse, users } from '@practice/contracts';
import type { AccountEnvelope, AuthProblem } from '@practice/contracts';
import { Rejection } from '@practice/core';
import { OpenCallPattern } from '@practice/bus';
import type { Envelope } from '@practice/core';
import type { FrameRequest, Reply } from '@practice/bus';
import { LOGGER } from '@practice/process';
import type { Logger } from '@practice/process';
import { asProblem } from '@practice/storage';
import { observeReply, replyInSpan } from '@practice/service';
import { isTracing, traceIdOf } from '@practice/tracing';
import type { AccountCall, AccountReply, Handlers } from '../calls/call.js';
import { fieldsOf } from '../calls/fields.js';
import { FactorCalls } from '../factors/factor-calls.js';
import { InfoCalls } from './info-calls.js';
import { notOffered } from './not-offered.js';
import { noIdentity, refuse } from '../calls/problems.js';
import { MailCalls } from './mail-calls.js';
import { SessionCalls } from './session-calls.js';
import { TokenCalls } from '../tokens/token-calls.js';
import { UserCalls } from './user-calls.js';
import { callLine } from './call-line.js';
import type { CallLine } from './call-line.js';
import { SecurityTrail } from './security-trail.js';
import { VerificationCalls } from './verification-calls.js';

/** Answers the calls of the auth API that gateways forward. */
@Controller()
export class AccountController {
  private readonly handlers: Handlers;

  constructor(
    sessions: SessionCalls,
    users: UserCalls,
    mails: MailCalls,
    verification: VerificationCalls,
    tokens: TokenCalls,
    factors: FactorCalls,
    info: InfoCalls,
    private readonly trail: SecurityTrail,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.handlers = {
      ...sessions.handlers,
      ...users.handlers,
      ...mails.handlers,
      ...verification.handlers,
      ...tokens.handlers,
      ...factors.handlers,
      ...info.handlers,
      ...notOffered,
    };
  }

  @OpenCallPattern('account')
  handle({ envelope, body }: FrameRequest<AccountEnvelope>): Promise<Reply> {
    const asked = { method: envelope.route, resource: '' };
    return isTracing()
      ? replyInSpan(envelope, asked, () => this.carryOut(envelope, body))
      : this.carryOut(envelope, body);
  }

  private async carryOut(envelope: Envelope<AccountEnvelope>, body: Buffer): Promise<Reply> {
    const started = performance.now();
    const { reply, ...line } = await this.answer(envelope, body).catch((error: unknown) => {
      const problem = this.problemOf(error, envelope);
      return {
        reply: authProblemResponse(problem, envelope.apiVersion),
        code: problem.code,
        ...callLine(envelope),
      };
    });
    const ms = performance.now() - started;
    const { route: operation } = envelope;
    const code = 'code' in line ? line.code : undefined;
    observeReply({ resource: '', operation, status: reply.status, code }, ms);
    this.logger.info({
      requestId: envelope.requestId,
      traceId: traceIdOf(envelope.traceparent),
      operation,
      ...line,
      status: reply.status,
      ms: Math.round(ms * 100) / 100,
    });
    return reply;
  }

  private async answer(
    envelope: Envelope<AccountEnvelope>,
    body: Buffer,
  ): Promise<CallLine & { readonly reply: Reply }> {
    const { route } = envelope;
    const call = callOf(envelope, body);
    const answer = await this.trail.following(route, call, () => this.handlers[route](call));
    return { reply: replyOf(answer), ...callLine(envelope, answer) };
  }

  private problemOf(error: unknown, { requestId }: Envelope): AuthProblem {
    const problem = asProblem(error, users);
    if (problem instanceof Rejection) return problem.problem;
    this.logger.error({ err: error, requestId }, 'request failed');
    return { status: 500, code: 'unexpected_failure', message: `Internal error. Request id ${requestId}` };
  }
}

function callOf(envelope: Envelope<AccountEnvelope>, body: Buffer): AccountCall {
  const { requestId, traceparent } = envelope;
  return {
    get identity() {
      return envelope.identity ?? refuse(noIdentity);
    },
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
