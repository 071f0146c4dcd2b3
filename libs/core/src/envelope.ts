// Requests between processes as their senders and receivers see them.

import type { Identity } from './identity.js';
import type { Gone } from './process-time.js';

/**
 * Everything about a request except its body. `Fields` are the operation's own. The identity in it is verified
 * (`statement.ts` of the bus); the rest is as trustworthy as the process that sent it, which NATS' permissions vouch for.
 */
export type Envelope<Fields extends object = object> = {
  /** The operation: the message pattern of its handler. */
  readonly op: string;
  readonly requestId: string;
  /** W3C trace context. */
  readonly traceparent?: string;
  /** Milliseconds since the epoch. After it no caller waits for a reply, and the request is dropped. */
  readonly deadline: number;
  /** Whether the caller has gone meanwhile; the receiver of the request sets it. */
  readonly gone?: Gone | undefined;
} & Fields;

/** An envelope before it is sent. The requester's timeout sets the deadline unless an earlier one is given. */
export type OutgoingEnvelope<Fields extends object = object> = Omit<Envelope, 'deadline' | 'gone'> & {
  readonly deadline?: number;
  /** The caller's network address, with an identity. */
  readonly address?: string;
  /** The larger request that the request is a part of, such as the caller's over HTTP: see `Requester.giveUp`. It is not sent. */
  readonly partOf?: object | undefined;
} & Fields;

/** Fields of a request on behalf of a caller: queries, commands, calls of the auth API. */
export interface OnBehalf {
  readonly identity: Identity;
}
