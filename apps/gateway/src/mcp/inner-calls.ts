// The requests of the assistant's tools to `/rest/v1`. They are parsed, checked, queued and routed as the requests of any caller are.

import { catalog } from '@practice/contracts';
import { type Identity, isSuccess, type Problem, problemFor, reject } from '@practice/core';
import type { Admitted, HttpRequest } from '../http/request.js';
import type { HttpResponse } from '../http/responses.js';
import { type Limits, refuseBeyond } from '../limits/limits.js';
import { onlyReads } from '../parse/function-call.js';
import type { Call } from '../parse/parse.js';
import { parse, route, type Services, userOf } from '../pipeline.js';
import { isReached, toolIdentity } from './scopes.js';

export interface InnerCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path and query below `/rest/v1/`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
  /** Whether the tool itself chose the path. The scopes of the token then imply the scopes that the request needs. */
  readonly isOfTool?: boolean;
  /** Whether `countWrite` has counted it. */
  readonly isCounted?: boolean;
}

export type InnerReply = ReturnType<typeof replyOf>;

/** The requests that one message of an assistant makes. */
export class InnerCalls {
  constructor(
    private readonly outer: Admitted,
    private readonly services: Services & { readonly limits: Limits },
  ) {
    // Each request listens for the end of the connection. Node would take more than ten listeners for a leak.
    outer.reply.raw.setMaxListeners(0);
  }

  get identity(): Identity {
    // The endpoint admits tokens only, so there is an identity.
    return this.outer.identity as Identity;
  }

  /**
   * The JSON of a response that succeeds.
   * @throws {Rejection} with the problem of any other response
   */
  async need<Json>(call: InnerCall): Promise<Json> {
    const { status, json } = await this.send(call);
    return isSuccess(status) ? (json as Json) : reject({ ...(json as Problem), status });
  }

  /** The records of a read. @throws {Rejection} as `need` */
  read<Row>(path: string): Promise<readonly Row[]> {
    return this.need({ method: 'GET', path, isOfTool: true });
  }

  /**
   * Sends a request and resolves to its response, whatever its status.
   * @throws {Rejection} if the request is refused before it is routed
   */
  async send(call: InnerCall): Promise<InnerReply> {
    const { method, path, headers = {}, body, isOfTool = false, isCounted = false } = call;
    const { outer } = this;
    const url = `/rest/v1/${path}`;
    const content = body === undefined ? {} : { 'content-type': 'application/json' };
    const { id, ip } = outer.request;
    const given = { method, id, ip, raw: { method, url }, headers: { ...content, ...headers } };
    const request = given as unknown as HttpRequest;
    if (!isCounted && !onlyReads(request)) await this.countWrite();
    const admitted: Admitted = {
      ...outer,
      request,
      identity: isOfTool ? toolIdentity(this.identity) : this.identity,
      timings: null,
      body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
    };
    request.stage = admitted;
    const parsed = await parse(admitted);
    checkReach(parsed.call);
    const routed = await route(parsed, this.services);
    if (routed === undefined) return reject('PM503', { message: 'The caller has disconnected' });
    return replyOf(routed.response);
  }

  /**
   * Counts a write. A message counts as a read, and each of its writes counts in addition.
   * @throws {Rejection} PM004 beyond the limit
   */
  async countWrite(): Promise<void> {
    const { identity, request } = this.outer;
    refuseBeyond(await this.services.limits.take('writes', userOf({ identity, request }) ?? ''));
  }
}

/** @throws {Rejection} for records that assistants do not reach, also if they are embedded */
function checkReach(call: Call): void {
  if (call.kind === 'function') return;
  const embedded = call.embedded.map((name) => catalog.readable.get(name));
  const hidden = [call.resource, ...embedded].find((one) => one !== undefined && !isReached(one));
  if (hidden !== undefined) reject(outOfReach(hidden.name));
}

const outOfReach = (name: string): Problem =>
  problemFor('42501', { message: `permission denied: assistants do not reach ${name}` });

function replyOf({ status, headers = {}, body = '' }: HttpResponse) {
  const text = body instanceof Uint8Array ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : body;
  const json: unknown = (text as string).length === 0 ? undefined : JSON.parse(text.toString());
  return { status, headers, json };
}
