import { Query } from '@nestjs/cqrs';
import type { Identity } from '@practice/core';
import type { PreparedRead, RestResponse, SemiJoinKeys } from '@practice/query';

/** The practice that reads, and for a composed response what is known of other services' records. */
export interface Reader extends Identity {
  readonly semiJoinKeys?: readonly SemiJoinKeys[] | undefined;
}

/** A read of one of the service's resources. */
export class Read extends Query<RestResponse> {
  constructor(
    readonly prepared: PreparedRead,
    readonly reader: Reader,
    /** The If-None-Match header: the versions that the caller has. */
    readonly known?: string | undefined,
  ) {
    super();
  }
}
