import { Query } from '@nestjs/cqrs';
import type { Identity } from '@practice/core';
import type { ParsedRequest, Reply } from '@practice/query';

/** A read of one of the service's resources, as parsed. */
export class Read extends Query<Reply> {
  constructor(
    readonly request: ParsedRequest,
    readonly identity: Identity,
    /** The If-None-Match header: the versions that the caller has. */
    readonly known?: string,
  ) {
    super();
  }
}
