// What the controllers of the auth API read of a request beside its body.

import { traceparentOf } from '../http/request-id.js';
import { queryOf } from '../http/request.js';
import type { HttpRequest } from '../http/request.js';
import type { RequestTrace } from './auth-body.js';

/** A parameter of the query; null when it is not there. */
export function parameter(request: HttpRequest, name: string): string | null {
  return new URLSearchParams(queryOf(request.raw.url ?? '')).get(name);
}

export function traceOf(request: HttpRequest): RequestTrace {
  return { requestId: request.id, traceparent: traceparentOf(request.headers['traceparent']) };
}
