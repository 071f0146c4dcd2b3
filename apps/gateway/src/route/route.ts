import { Inject, Injectable } from '@nestjs/common';
import type { Reply, Requester } from '@practice/bus';
import { catalog } from '@practice/contracts';
import { isSuccess, type Problem, problemBody } from '@practice/core';
import { withFilterNamed } from '@practice/query';
import type { CommandEnvelope, FunctionEnvelope, QueryEnvelope } from '@practice/query';
import { replyOfBatch } from '../batch/coordinator.js';
import { replyOfNested } from '../batch/nested-insert.js';
import { Composer } from '../compose/composer.js';
import { Exports } from '../exports/exports.js';
import { proxyStatus } from '../http/problem-response.js';
import type { HttpRequest } from '../http/request.js';
import { type HttpResponse, JSON_TYPE } from '../http/responses.js';
import type { FunctionCall } from '../parse/function-call.js';
import { type Call, isRead, type RecordsCall } from '../parse/parse.js';
import { REQUESTER } from '../services/requesters.js';
import { replyOfReadParts, replyOfWrittenParts } from './function-parts.js';

/**
 * The route stage: a call goes to the service that owns its resource or function. Records of several services go to the
 * composer. A function of several services goes to each of them. Work in the background begins once the owner of its
 * function has accepted the call.
 */
@Injectable()
export class Router {
  constructor(
    @Inject(REQUESTER) private readonly requester: Requester,
    private readonly composer: Composer,
    private readonly exports: Exports,
  ) {}

  /** @throws {Rejection} PM503 if a service is not available; as `Composer` */
  route(call: Call, envelope: QueryEnvelope | CommandEnvelope | FunctionEnvelope): Promise<Reply<Buffer>> {
    if (call.kind === 'function') return this.routeFunction(call, envelope as FunctionEnvelope);
    const { composition, nested } = call;
    if (nested !== undefined) {
      const read = (reading: RecordsCall, query: QueryEnvelope) => this.route(reading, query);
      const reach = { requester: this.requester, read };
      return replyOfNested(reach, { request: call.request, nested }, envelope as CommandEnvelope);
    }
    if (composition !== null)
      return this.composer.reply({ ...call, composition }, envelope as QueryEnvelope | CommandEnvelope);
    return this.requester.request(call.resource.service, envelope, call.body);
  }

  /** Stops long work for a request whose caller has disconnected. */
  giveUp({ raw }: HttpRequest): void {
    this.requester.giveUp(raw);
  }

  private async routeFunction(call: FunctionCall, envelope: FunctionEnvelope): Promise<Reply<Buffer>> {
    const { definition, services, body } = call;
    if (call.batch !== undefined) return replyOfBatch(this.requester, call.batch, envelope);
    const [only = '', ...others] = services;
    if (others.length > 0) {
      const replyOf = definition.effect === 'reads' ? replyOfReadParts : replyOfWrittenParts;
      return replyOf(this.requester, call, envelope);
    }
    const reply = await this.requester.request(only, envelope, body);
    if (definition.inBackground === true && isSuccess(reply.status)) this.exports.begin(envelope);
    return reply;
  }
}

const BAD_REQUEST = 400;
const FIRST_ERROR_STATUS = 400;

/** The reply that names the column of a filter whose value Postgres cannot read. Other replies stay as they are. */
export function replyWithFilterNamed(call: Call, reply: Reply<Buffer>): Reply<Buffer> {
  if (reply.status !== BAD_REQUEST || call.kind !== 'records') return reply;
  const problem = JSON.parse(reply.body.toString()) as Problem;
  const named = withFilterNamed(problem, { ...call, catalog });
  return named === problem ? reply : { ...reply, body: Buffer.from(problemBody(named)) };
}

/** The beginning of an error body. The code is read from the bytes; bodies are not parsed here. */
const CODE = /^\{"code":"(\w{1,16})"/;
const CODE_BYTES = 32;

/** The response for a service's reply: its status, headers and bytes, and `Proxy-Status` for an error. */
export function responseOf(reply: Reply<Buffer>): HttpResponse {
  if (reply.status < FIRST_ERROR_STATUS) return reply;
  const code = CODE.exec(reply.body.toString('latin1', 0, CODE_BYTES))?.[1];
  if (code === undefined) return reply;
  return { ...reply, headers: { ...reply.headers, 'Proxy-Status': proxyStatus(code) } };
}

// `Prefer: change-id=body`: the change of a write as a part of its body, for callers that cannot read headers.

const APPLIED = 'change-id=body';
const IS_JSON = /^application\/(?:[\w.-]+\+)?json/;

const NO_CONTENT = 204;
const OK = 200;

/**
 * The reply of a write as `{"data": …, "change_id": …}`, if the caller prefers that. `data` is the usual body, or null without a
 * body; `change_id` is the value of `Change-Id`, or null if nothing has changed. Refusals and CSV stay as they are.
 */
export function withChangeInBody(call: Call, reply: Reply<Buffer>): Reply<Buffer> {
  const { status, headers, body } = reply;
  const type = headers['Content-Type'] ?? JSON_TYPE;
  if (!prefersIt(call) || !isSuccess(status) || !IS_JSON.test(type)) return reply;
  const data = body.length === 0 ? 'null' : body;
  const change = JSON.stringify(headers['Change-Id'] ?? null);
  const { 'Preference-Applied': applied, ...others } = headers;
  return {
    status: status === NO_CONTENT ? OK : status,
    headers: {
      ...others,
      'Content-Type': type,
      'Preference-Applied': applied === undefined ? APPLIED : `${applied}, ${APPLIED}`,
    },
    body: Buffer.concat([Buffer.from('{"data":'), Buffer.from(data), Buffer.from(`,"change_id":${change}}`)]),
  };
}

const prefersIt = (call: Call): boolean =>
  call.request.preferences['change-id'] === 'body' &&
  (call.kind === 'function' ? call.definition.effect === 'writes' : !isRead(call));
