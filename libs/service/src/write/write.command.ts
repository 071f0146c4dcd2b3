import { Command } from '@nestjs/cqrs';
import type { Identity } from '@practice/core';
import type { SemiJoinKeys, ParsedRequest, RestResponse } from '@practice/query';
import type { Repeatable } from './idempotency.js';

/** Where a write comes from, as far as its events remember it. */
export interface Origin extends Identity {
  readonly requestId: string;
  readonly traceparent?: string;
  /** Milliseconds since the epoch, after which nobody waits for the answer. */
  readonly deadline: number;
  /** Where the caller may send the request again and wants it done once. */
  readonly repeatable?: Repeatable;
  /** The If-Match header: the version of the record that the caller has seen. */
  readonly ifMatch?: string | undefined;
  /** Other services' records are part of the answer: what is known of them already. */
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
