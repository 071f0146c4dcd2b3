import { Command, Query } from '@nestjs/cqrs';
import type { PreparedCall, RestResponse, Repeatable } from '@practice/query';
import type { FunctionCall } from './function-handler.js';

/** A call as it arrives: the prepared part, which calls share, and the caller's own. */
export interface Called {
  readonly prepared: PreparedCall;
  /** As given: argument → JSON value or text. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly call: FunctionCall;
  readonly repeatable?: Repeatable | undefined;
  /** The rows of all parts of the function, to select from instead of carrying it out. */
  readonly parts?: readonly object[];
  /** The If-Match header, which only a function that decides about records can use. */
  readonly ifMatch?: string | undefined;
}

/** A call of a function that writes: one transaction, all of it or nothing. */
export class CallFunction extends Command<RestResponse> {
  constructor(readonly called: Called) {
    super();
  }
}

/** A call of a function that reads. */
export class ReadFunction extends Query<RestResponse> {
  /** @param isPart whether the response has only this service's rows, for a function of several services */
  constructor(
    readonly called: Called,
    readonly isPart = false,
  ) {
    super();
  }
}
