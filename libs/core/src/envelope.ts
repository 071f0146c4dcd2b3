// Requests between processes as their senders and receivers see them.

import type { Identity } from './identity.js';
import type { Gone } from './process-time.js';

/**
 * Everything about a request except its body. `Fields` are specific to the operation. The identity is verified (`statement.ts` of
 * the bus). The rest is as trustworthy as the sending process, whose identity the permissions of NATS guarantee.
 */
export type Envelope<Fields extends object = object> = {
  /** The operation: the message pattern of its handler. */
  readonly op: string;
  readonly requestId: string;
  /** W3C trace context. */
  readonly traceparent?: string;
  /** Milliseconds since the epoch. After this time no caller waits for a reply, and the request is dropped. */
  readonly deadline: number;
  /** Whether the caller has disconnected in the meantime. The receiver of the request sets it. */
  readonly gone?: Gone | undefined;
} & Fields;

/** An envelope before it is sent. The requester's timeout sets the deadline unless an earlier one is given. */
export type OutgoingEnvelope<Fields extends object = object> = Omit<Envelope, 'deadline' | 'gone'> & {
  readonly deadline?: number;
  /** The caller's network address, with an identity. */
  readonly address?: string;
  /** The larger request that this request is part of, such as the caller's HTTP request; see `Requester.giveUp`. It is not sent. */
  readonly partOf?: object | undefined;
} & Fields;

/** Fields of a request on behalf of a caller: queries, commands, calls of the auth API. */
export interface OnBehalf {
  readonly identity: Identity;
}
