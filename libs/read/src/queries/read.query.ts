import { Query } from '@nestjs/cqrs';
import type { Identity } from '@practice/core';
import type { Given, PreparedRead, RestResponse, SemiJoinKeys } from '@practice/query';

/** The practice that reads and the identity in which it does (`asReader`), and for a composed response what is known of other services' records. */
export interface Reader extends Identity {
  readonly requestId: string;
  readonly semiJoinKeys?: readonly SemiJoinKeys[] | undefined;
  /** Milliseconds since the epoch. After it the caller has given up. */
  readonly deadline?: number;
}

/** A read of one of the service's resources. */
export class Read extends Query<RestResponse> {
  constructor(
    readonly prepared: PreparedRead,
    readonly reader: Reader,
    /** The values of its filters, unless it is prepared with them. */
    readonly given?: Given,
    /** The If-None-Match header: the versions that the caller has. */
    readonly known?: string | undefined,
  ) {
    super();
  }
}
