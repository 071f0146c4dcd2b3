import { Query } from '@nestjs/cqrs';
import type { RestResponse, Subquery, SubqueryResult } from '@practice/query';
import type { Reader } from './read.query.js';

/** A read of related records, for a response that several services contribute to. */
export class ReadSubquery extends Query<RestResponse> {
  constructor(
    readonly subquery: Subquery,
    readonly asked: {
      readonly result: SubqueryResult;
      /** The keys that rows belong to; empty where keys are asked for. */
      readonly keys: readonly (string | null)[];
      readonly reader: Reader;
    },
  ) {
    super();
  }
}
