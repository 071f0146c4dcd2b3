// What travels in a frame, seen from those who ask and those who answer.

import type { Identity } from '@practice/core';

/**
 * What a service must know about a request beside its body; `Fields` are those of the operation.
 * It is trusted: only processes that may publish to a service's subject can write it.
 */
export type RequestHead<Fields extends object = object> = Identity & {
  /** The operation: the pattern of the handler that answers. */
  readonly op: string;
  readonly requestId: string;
  /** W3C trace context. */
  readonly traceparent?: string;
  /** Milliseconds since the epoch: after it nobody waits, and the request is dropped unanswered. */
  readonly deadline: number;
} & Fields;

/** A head as the asking side gives it: the requester's timeout sets the deadline, unless there is an earlier one. */
export type AskedHead<Fields extends object = object> = Omit<RequestHead, 'deadline'> & {
  readonly deadline?: number;
} & Fields;

/** What a handler receives. */
export interface FrameRequest<Fields extends object = object> {
  readonly head: RequestHead<Fields>;
  readonly body: Buffer;
}

/** An answer: an HTTP status and headers, and the bytes as they shall reach the caller. */
export interface Reply<Body extends string | Uint8Array = string | Uint8Array> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}
