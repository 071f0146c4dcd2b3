// Requests and replies as their senders and receivers see them.

import type { Identity } from '@practice/core';

/**
 * Everything about a request except its body. `Fields` are the operation's own.
 * A service trusts it: only processes with permission to publish to the service's subject can send one.
 */
export type Envelope<Fields extends object = object> = Identity & {
  /** The operation: the message pattern of its handler. */
  readonly op: string;
  readonly requestId: string;
  /** W3C trace context. */
  readonly traceparent?: string;
  /** Milliseconds since the epoch. After it no caller waits for a reply, and the request is dropped. */
  readonly deadline: number;
} & Fields;

/** An envelope before it is sent. The requester's timeout sets the deadline unless an earlier one is given. */
export type OutgoingEnvelope<Fields extends object = object> = Omit<Envelope, 'deadline'> & {
  readonly deadline?: number;
} & Fields;

/** A request as its handler receives it. */
export interface FrameRequest<Fields extends object = object> {
  readonly envelope: Envelope<Fields>;
  readonly body: Buffer;
}

/** A reply: HTTP status and headers, and the bytes for the caller. */
export interface Reply<Body extends string | Uint8Array = string | Uint8Array> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}
