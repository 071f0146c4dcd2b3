import { Query } from '@nestjs/cqrs';
import type { Identity } from '@practice/core';
import type { KnownKeys, ParsedRequest, Reply } from '@practice/query';

/** Who reads, and what is known of other services' records where those are part of the answer. */
export interface Reader extends Identity {
  readonly across?: readonly KnownKeys[] | undefined;
}

/** A read of one of the service's resources, as parsed. */
export class Read extends Query<Reply> {
  constructor(
    readonly request: ParsedRequest,
    readonly reader: Reader,
    /** The If-None-Match header: the versions that the caller has. */
    readonly known?: string,
  ) {
    super();
  }
}
