import type { FunctionDefinition } from '@practice/resource';
import type { ParsedRequest } from '../parse/request.js';
import { planCall, type CallPlan } from '../plan/call.js';
import { compileCall } from './read.js';
import { withFirst, type SqlQuery } from './scope.js';

/** A parsed call without its arguments, planned and compiled once for all practices. */
export class PreparedCall {
  readonly plan: CallPlan;
  private compiled: SqlQuery | undefined;

  /** @throws {Rejection} as `planCall` */
  constructor(
    readonly definition: FunctionDefinition,
    readonly request: ParsedRequest,
  ) {
    this.plan = planCall(request, definition);
  }

  /** The query that filters, orders and selects the rows that the function returned. */
  queryFor(rows: readonly object[]): SqlQuery {
    this.compiled ??= compileCall(this.plan);
    return withFirst(this.compiled, JSON.stringify(rows));
  }
}
