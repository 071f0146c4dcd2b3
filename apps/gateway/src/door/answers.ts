// The one way out: every answer of the gateway is written here, with the headers that all of them carry.

import { pipeline, Readable } from 'node:stream';
import type { Logger } from '@practice/service';
import type { CommonHeaders } from './common-headers.js';
import { pathOf } from './request.js';
import type { DoorReply, DoorRequest } from './request.js';

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A stream comes with its length among the headers. */
  readonly body?: string | Uint8Array | Readable;
  /** Each as one `Set-Cookie` says it. */
  readonly cookies?: readonly string[];
  /** Asked for by machines all the time, and of no interest as long as all is well. */
  readonly isRoutine?: boolean;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Paths are logged no longer than any of ours: what a stranger writes there is not worth more. */
const LOGGED_PATH = 80;

export class Answers {
  private isClosing = false;

  constructor(
    private readonly logger: Logger,
    readonly commonHeaders: CommonHeaders,
  ) {}

  /** From now on each answer asks its caller to come back on a new connection. */
  closing(): void {
    this.isClosing = true;
  }

  /** Writes an answer and its line in the log. Does nothing where one was written already, or the caller is gone. */
  send(request: DoorRequest, reply: DoorReply, answer: Answer): void {
    const raw = reply.raw;
    if (raw.headersSent || raw.writableEnded || raw.destroyed) return discard(answer);
    const { status, body = '' } = answer;
    const headers = this.commonHeaders.of(request, answer.headers);
    if (this.isClosing) headers.push('Connection', 'close');
    for (const name in answer.headers) headers.push(name, answer.headers[name] as string);
    if (answer.cookies !== undefined) for (const one of answer.cookies) headers.push('Set-Cookie', one);
    const length = lengthOf(request.method, status, body);
    if (length !== undefined) headers.push('Content-Length', length);
    raw.writeHead(status, headers);
    finish(raw, body);
    this.log(request, status, answer.isRoutine === true);
  }

  private log(request: DoorRequest, status: number, isRoutine: boolean): void {
    this.logger[isRoutine ? 'debug' : 'info']({
      requestId: request.id,
      method: request.method,
      path: pathOf(request.raw.url ?? '').slice(0, LOGGED_PATH),
      status,
      ms: Math.round((performance.now() - request.arrivedAt) * 10) / 10,
    });
  }
}

function finish(raw: DoorReply['raw'], body: string | Uint8Array | Readable): void {
  // A caller that leaves a stream early has what it wants.
  if (body instanceof Readable) pipeline(body, raw, () => undefined);
  else raw.end(body);
}

/** What was opened for an answer that nobody takes is closed. */
function discard({ body }: Answer): void {
  if (body instanceof Readable) body.destroy();
}

/** 204 and 304 have no body; of a HEAD's only the owner of the data knows the length, and of a stream's whoever opened it. */
function lengthOf(method: string, status: number, body: string | Uint8Array | Readable): string | undefined {
  if (status === 204 || status === 304 || body instanceof Readable) return undefined;
  return method !== 'HEAD' || body.length > 0 ? String(Buffer.byteLength(body)) : undefined;
}
