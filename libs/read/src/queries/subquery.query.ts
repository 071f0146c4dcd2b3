import { Query } from '@nestjs/cqrs';
import type { PreparedSubquery, RestResponse } from '@practice/query';
import type { Reader } from './read.query.js';

/** A read of related records, for a response that several services contribute to. */
export class ReadSubquery extends Query<RestResponse> {
  constructor(
    readonly prepared: PreparedSubquery,
    /** The keys that rows belong to; empty where keys are wanted. */
    readonly keys: readonly (string | null)[],
    readonly reader: Reader,
  ) {
    super();
  }
}
