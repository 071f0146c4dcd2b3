import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { type FrameRequest, OpenCallPattern, type Reply } from '@practice/bus';
import { authProblemResponse, users } from '@practice/contracts';
import type { AccountEnvelope, AccountRouteName, AuthProblem } from '@practice/contracts';
import { type Envelope, Rejection } from '@practice/core';
import { LOGGER, type Logger } from '@practice/process';
import { observeReply, replyInSpan } from '@practice/service';
import { asProblem } from '@practice/storage';
import { isTracing, traceIdOf } from '@practice/tracing';
import { type AccountCall, AccountQuery, type AccountReply } from '../calls/call.js';
import { type Fields, fieldsOf } from '../calls/fields.js';
import { problems, refuse } from '../calls/problems.js';
import { routes } from './routes.js';
import { SecurityTrail } from './security-trail.js';

/** Answers the calls of the auth API that gateways forward. */
@Controller()
export class AccountController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly trail: SecurityTrail,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @OpenCallPattern('account')
  handle({ envelope, body }: FrameRequest<AccountEnvelope>): Promise<Reply> {
    const asked = { method: envelope.route, resource: '' };
    return isTracing()
      ? replyInSpan(envelope, asked, () => this.carryOut(envelope, body))
      : this.carryOut(envelope, body);
  }

  private async carryOut(envelope: Envelope<AccountEnvelope>, body: Buffer): Promise<Reply> {
    const started = performance.now();
    const { reply, ...line } = await this.replyTo(envelope, body).catch((error: unknown) => {
      const problem = this.problemOf(error, envelope);
      const refusal = authProblemResponse(problem, envelope.apiVersion);
      return { reply: refusal, code: problem.code, ...callLine(envelope) };
    });
    const ms = performance.now() - started;
    const { route: operation } = envelope;
    observeReply({ resource: '', operation, status: reply.status, code: line.code }, ms);
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

  private async replyTo(envelope: Envelope<AccountEnvelope>, body: Buffer) {
    const { route } = envelope;
    const call = callOf(envelope, body);
    const reply = await this.trail.following(route, call, () => this.execute(route, call));
    return { reply: encoded(reply), code: undefined, ...callLine(envelope, reply) };
  }

  private async execute(route: AccountRouteName, call: AccountCall): Promise<AccountReply> {
    const called = routes[route](call);
    return called instanceof AccountQuery ? this.queries.execute(called) : this.commands.execute(called);
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
  let fields: Fields | undefined;
  return {
    get identity() {
      return envelope.identity ?? refuse(problems.noIdentity);
    },
    trace: { requestId, ...(traceparent === undefined ? {} : { traceparent }) },
    method: envelope.method,
    id: envelope.id ?? '',
    parameters: new URLSearchParams(envelope.query),
    address: envelope.address,
    protocol: envelope.protocol,
    body,
    isForCookies: envelope.isForCookies === true,
    fields: () => (fields ??= fieldsOf(body)),
  };
}

/** The grant types of POST /token. Any other value that a caller sends is not logged. */
const GRANTS = ['password', 'refresh_token', 'pkce', 'id_token'];

const PROOFS: Partial<Record<AccountRouteName, string>> = {
  verify: 'mail',
  followLink: 'mail',
  verifyFactor: 'second factor',
  signInWithPasskey: 'passkey',
};

/**
 * The fields of a call in the log: the user, the proof that the caller presented, and how the user of the session in the reply has signed in.
 * It contains no address and no other value. A field that is undefined is left out: the user of a refused sign-in is not known.
 */
function callLine({ identity, route, query }: AccountEnvelope, { signedIn, methods }: AccountReply = {}) {
  const grant = new URLSearchParams(query).get('grant_type');
  return {
    userId: (identity ?? signedIn)?.userId,
    proof: route === 'token' ? GRANTS.find((known) => known === grant) : PROOFS[route],
    methods,
  };
}

function encoded({ status = 200, headers = {}, body }: AccountReply): Reply {
  if (body === undefined) return { status, headers, body: '' };
  const type = { 'Content-Type': 'application/json; charset=utf-8' };
  return { status, headers: { ...type, ...headers }, body: JSON.stringify(body) };
}
