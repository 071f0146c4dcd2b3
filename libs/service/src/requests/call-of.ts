import type { Envelope } from '@practice/core';
import type { BatchFields, FunctionFields } from '@practice/query';
import type { FunctionCall } from '@practice/write';

/** The caller of a request and its context (id, trace, deadline, reason), for functions and for parts of batches. */
export function callOf(envelope: Envelope<BatchFields | FunctionFields>): FunctionCall {
  const { identity: caller, requestId, traceparent, deadline, gone, reason } = envelope;
  return { caller, requestId, traceparent, deadline, gone, reason };
}
