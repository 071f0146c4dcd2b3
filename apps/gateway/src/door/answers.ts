// The one way out: every answer of the gateway is written here, with the headers that all of them carry.

import type { Logger } from '@practice/service';
import { pathOf } from './request.js';
import type { DoorReply, DoorRequest } from './request.js';
import type { Quota } from '../limits/limits.js';

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Asked for by machines all the time, and of no interest as long as all is well. */
  readonly isRoutine?: boolean;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

const EXPOSED = [
  'Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, Transfer-Encoding, Range-Unit',
  'Preference-Applied, ETag, Link, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset',
  'Idempotency-Replayed, Proxy-Status, X-Request-Id, Api-Version, X-Supabase-Api-Version, X-Sb-Error-Code',
].join(', ');

/** Paths are logged no longer than any of ours: what a stranger writes there is not worth more. */
const LOGGED_PATH = 80;

export class Answers {
  private isClosing = false;

  constructor(private readonly logger: Logger) {}

  /** From now on each answer asks its caller to come back on a new connection. */
  closing(): void {
    this.isClosing = true;
  }

  /** Writes an answer and its line in the log. Does nothing where one was written already, or the caller is gone. */
  send(request: DoorRequest, reply: DoorReply, answer: Answer): void {
    const raw = reply.raw;
    if (raw.headersSent || raw.writableEnded || raw.destroyed) return;
    const { status, body = '' } = answer;
    const headers = commonHeaders(request);
    if (answer.headers?.['Cache-Control'] === undefined) headers.push('Cache-Control', 'no-store');
    if (this.isClosing) headers.push('Connection', 'close');
    for (const name in answer.headers) headers.push(name, answer.headers[name] as string);
    if (hasLength(request.method, status, body))
      headers.push('Content-Length', String(Buffer.byteLength(body)));
    raw.writeHead(status, headers);
    raw.end(body);
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

function commonHeaders(request: DoorRequest): string[] {
  const headers = ['X-Request-Id', request.id, 'Api-Version', '1', 'X-Content-Type-Options', 'nosniff'];
  if (request.quota) pushQuota(headers, request.quota);
  if (request.headers.origin !== undefined) {
    headers.push('Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', EXPOSED);
  }
  return headers;
}

function pushQuota(headers: string[], quota: Quota): void {
  headers.push('RateLimit-Limit', String(quota.limit), 'RateLimit-Remaining', String(quota.remaining));
  headers.push('RateLimit-Reset', String(quota.resetSeconds));
}

/** 204 and 304 have no body; of a HEAD's only the owner of the data knows the length. */
function hasLength(method: string, status: number, body: string | Uint8Array): boolean {
  if (status === 204 || status === 304) return false;
  return method !== 'HEAD' || body.length > 0;
}
