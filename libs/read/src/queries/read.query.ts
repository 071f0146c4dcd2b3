import { Query } from '@nestjs/cqrs';
import type { Identity } from '@practice/core';
import type { Given, PreparedRead, RestResponse, SemiJoinKeys } from '@practice/query';

/** The identity of the caller (see `asReader`), and for a composed response the fetched keys of other services' records. */
export interface Reader extends Identity {
  readonly requestId: string;
  readonly semiJoinKeys?: readonly SemiJoinKeys[] | undefined;
  /** The time after which the caller no longer waits, in milliseconds since the epoch. */
  readonly deadline?: number;
}

/** A read of one of the service's resources. */
export class Read extends Query<RestResponse> {
  constructor(
    readonly prepared: PreparedRead,
    readonly reader: Reader,
    /** The values of the filters; absent if the read is prepared with its values. */
    readonly given?: Given,
    /** The If-None-Match header: the versions that the caller has. */
    readonly known?: string | undefined,
  ) {
    super();
  }
}
