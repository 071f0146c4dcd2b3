// Every response of the gateway is written here, with its common headers.

import { pipeline, Readable } from 'node:stream';
import type { Logger } from '@practice/process';
import type { CommonHeaders } from './common-headers.js';
import { endAfterRequest } from './linger.js';
import { endSpan, observeResponse, traceIdFor } from './observe.js';
import { type HttpReply, type HttpRequest, loggedPath, type Stage } from './request.js';
import { timingHeaders } from './timings.js';

export interface HttpResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A stream needs a `Content-Length` in `headers`. */
  readonly body?: string | Uint8Array | Readable;
  /** The value of one `Set-Cookie` header each. */
  readonly cookies?: readonly string[];
  /** The code of a problem, for the log. */
  readonly code?: string;
  /** Logged at debug level only, because probes poll the endpoint. */
  readonly isRoutine?: boolean;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

export class Responses {
  /** Whether this process is about to end. From then on every response carries `Connection: close`. */
  isClosing = false;

  constructor(
    private readonly logger: Logger,
    readonly commonHeaders: CommonHeaders,
  ) {}

  /** Writes a response and its log line. Does nothing if a response was already sent or the caller has disconnected. */
  send(request: HttpRequest, reply: HttpReply, response: HttpResponse): void {
    const raw = reply.raw;
    if (raw.headersSent || raw.writableEnded || raw.destroyed) return discard(response);
    const { status, body = '' } = response;
    const { stage } = request;
    const headers = this.headersOf(stage, response);
    const length = lengthOf(request.method, status, body);
    if (length !== undefined) headers.push('Content-Length', length);
    raw.writeHead(status, headers);
    finish(raw, body);
    const ms = performance.now() - stage.arrivedAt;
    observeResponse(stage, status, ms);
    endSpan(stage, status);
    this.log(stage, response, ms);
  }

  private headersOf(stage: Stage, response: HttpResponse): string[] {
    const headers = this.commonHeaders.of(stage, response.headers);
    const { request, span, timings } = stage;
    if (span) headers.push('Traceresponse', span.traceparent);
    if (timings) headers.push(...timingHeaders(timings, this.commonHeaders.originFor(request)));
    if (this.isClosing) headers.push('Connection', 'close');
    for (const name in response.headers) headers.push(name, response.headers[name] as string);
    if (response.cookies !== undefined) for (const one of response.cookies) headers.push('Set-Cookie', one);
    return headers;
  }

  /** Writes the log line without the fields that are undefined. The user is known once the token is verified. */
  private log(stage: Stage, { status, code, isRoutine }: HttpResponse, ms: number): void {
    const { request, identity } = stage;
    this.logger[isRoutine === true ? 'debug' : 'info']({
      requestId: request.id,
      traceId: traceIdFor(stage),
      therapistId: identity?.therapistId,
      userId: identity?.userId,
      tokenId: identity?.tokenId,
      method: request.method,
      path: loggedPath(request),
      status,
      code,
      ms: Math.round(ms * 10) / 10,
    });
  }
}

function finish(raw: HttpReply['raw'], body: string | Uint8Array | Readable): void {
  // A caller may close a stream early; that is not an error. The guards also listen for the end of the response. All
  // listeners together exceed Node's default of 10.
  if (body instanceof Readable) pipeline(body, raw.setMaxListeners(20), () => undefined);
  else endAfterRequest(raw, body);
}

/** Closes the stream of a response that cannot be sent. */
function discard({ body }: HttpResponse): void {
  if (body instanceof Readable) body.destroy();
}

/** 204 and 304 have no body. The length for a HEAD request or a stream is known only to the code that made the response. */
function lengthOf(method: string, status: number, body: string | Uint8Array | Readable): string | undefined {
  if (status === 204 || status === 304 || body instanceof Readable) return undefined;
  return method !== 'HEAD' || body.length > 0 ? String(Buffer.byteLength(body)) : undefined;
}
