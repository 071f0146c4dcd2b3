import { Query } from '@nestjs/cqrs';
import type { PreparedSubquery, RestResponse } from '@practice/query';
import type { Reader } from './read.query.js';

/** A read of related records, for a response that several services contribute to. */
export class ReadSubquery extends Query<RestResponse> {
  constructor(
    readonly prepared: PreparedSubquery,
    /** The keys whose rows are wanted; empty if the result is keys. */
    readonly keys: readonly (string | null)[],
    readonly reader: Reader,
  ) {
    super();
  }
}
