import type { ParsedRequest } from '../parse/request.js';
import type { PlanContext } from '../plan/context.js';
import { namesPractice } from '../plan/practice.js';
import { planRead } from '../plan/read.js';
import type { ReadPlan } from '../plan/read.js';
import { compileRead } from './read.js';
import { withPractice } from './scope.js';
import type { SqlQuery } from './scope.js';

/** A read, ready to run. */
export interface CompiledRead {
  readonly plan: ReadPlan;
  readonly query: SqlQuery;
}

/**
 * A parsed read that is planned and compiled once for all practices. A request that names a practice, or depends on keys
 * fetched from other services, is planned each time.
 */
export class PreparedRead {
  private readonly isShared: boolean;
  /** Compiled as a whole, and in pieces for a composed response. */
  private readonly shared: { whole?: CompiledRead; pieces?: CompiledRead } = {};

  constructor(readonly request: ParsedRequest) {
    this.isShared = !namesPractice(request.options.conditions);
  }

  /** @throws {Rejection} as `planRead` */
  for(context: PlanContext): CompiledRead {
    const { therapistId, semiJoinKeys } = context;
    if (!this.isShared || (semiJoinKeys?.length ?? 0) > 0) return this.compile(context);
    const form = semiJoinKeys === undefined ? 'whole' : 'pieces';
    const { plan, query } = (this.shared[form] ??= this.compile(context));
    return { plan, query: withPractice(query, therapistId) };
  }

  private compile(context: PlanContext): CompiledRead {
    const plan = planRead(this.request, context);
    return { plan, query: compileRead(plan, context.therapistId) };
  }
}
