// What the controllers of the auth API read of a request beside its body.

import { traceparentOf } from '../door/request-id.js';
import { queryOf } from '../door/request.js';
import type { DoorRequest } from '../door/request.js';
import type { RequestTrace } from './auth-body.js';

/** A parameter of the query; null when it is not there. */
export function parameter(request: DoorRequest, name: string): string | null {
  return new URLSearchParams(queryOf(request.raw.url ?? '')).get(name);
}

export function traceOf(request: DoorRequest): RequestTrace {
  return { requestId: request.id, traceparent: traceparentOf(request.headers['traceparent']) };
}
