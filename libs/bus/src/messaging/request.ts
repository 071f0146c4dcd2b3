// The types of requests and replies.

import type { Envelope } from '@practice/core';

export type { Envelope, OnBehalf, OutgoingEnvelope } from '@practice/core';

/** Fields of an envelope on the wire: a statement and the address replace the identity. */
export interface Stated {
  readonly identity?: undefined;
  readonly statement?: string | undefined;
  readonly address?: string | undefined;
}

/** Fields of a request that a service makes for its own work in a practice, without a caller. */
export interface InPractice {
  readonly therapistId: string;
}

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
