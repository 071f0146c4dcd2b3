import { Query } from '@nestjs/cqrs';
import type { Identity } from '@practice/core';
import type { SemiJoinKeys, ParsedRequest, RestResponse } from '@practice/query';

/** Who reads, and what is known of other services' records where those are part of the answer. */
export interface Reader extends Identity {
  readonly semiJoinKeys?: readonly SemiJoinKeys[] | undefined;
}

/** A read of one of the service's resources, as parsed. */
export class Read extends Query<RestResponse> {
  constructor(
    readonly request: ParsedRequest,
    readonly reader: Reader,
    /** The If-None-Match header: the versions that the caller has. */
    readonly known?: string,
  ) {
    super();
  }
}
