import { Command } from '@nestjs/cqrs';
import type { Gone, Identity } from '@practice/core';
import type { SemiJoinKeys, ParsedRequest, RestResponse, Repeatable } from '@practice/query';

/** Where a write comes from. */
export interface Origin extends Identity {
  readonly requestId: string;
  readonly traceparent?: string | undefined;
  /** The Change-Reason header: why, in the caller's words. */
  readonly reason?: string | undefined;
  /** Milliseconds since the epoch, after which the caller no longer waits. */
  readonly deadline: number;
  /** Whether the caller has disconnected. */
  readonly gone?: Gone | undefined;
  /** Given if the caller may repeat the request and wants it done once. */
  readonly repeatable?: Repeatable | undefined;
  /** The If-Match header: the version of the record that the caller has seen. */
  readonly ifMatch?: string | undefined;
  /** Given for a composed response: what is known of other services' records. */
  readonly semiJoinKeys?: readonly SemiJoinKeys[] | undefined;
}

/** A change of one of the service's resources, as parsed: one transaction, all of it or nothing. */
export class Write extends Command<RestResponse> {
  constructor(
    readonly request: ParsedRequest,
    readonly origin: Origin,
  ) {
    super();
  }
}
