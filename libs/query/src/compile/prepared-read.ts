import type { PracticeRole } from '@practice/core';
import type { ParsedRequest } from '../parse/request.js';
import type { PlanContext } from '../plan/context.js';
import { namesPractice } from '../plan/practice.js';
import { planRead } from '../plan/read.js';
import type { ReadPlan } from '../plan/read.js';
import { compileAttempt, compileRead } from './read.js';
import { withFirst } from './scope.js';
import type { SqlQuery } from './scope.js';

/** A read, ready to run. */
export interface CompiledRead {
  readonly plan: ReadPlan;
  readonly query: SqlQuery;
  /** Run if the query fails: the records that the error may depend on. */
  readonly attempt?: SqlQuery | undefined;
}

/**
 * A parsed read that is planned and compiled once for each role, for all practices. A request that names a practice, or depends on keys
 * fetched from other services, is planned each time.
 */
export class PreparedRead {
  private readonly isShared: boolean;
  /** For each role: compiled as a whole, and in pieces for a composed response. */
  private readonly shared = new Map<PracticeRole, { whole?: CompiledRead; pieces?: CompiledRead }>();

  constructor(readonly request: ParsedRequest) {
    this.isShared = !namesPractice(request.options.conditions);
  }

  /** @throws {Rejection} as `planRead` */
  for(context: PlanContext): CompiledRead {
    const { therapistId, practiceRole, semiJoinKeys } = context;
    if (!this.isShared || (semiJoinKeys?.length ?? 0) > 0) return this.compile(context);
    const form = semiJoinKeys === undefined ? 'whole' : 'pieces';
    let shared = this.shared.get(practiceRole);
    if (shared === undefined) this.shared.set(practiceRole, (shared = {}));
    const { plan, query, attempt } = (shared[form] ??= this.compile(context));
    return {
      plan,
      query: withFirst(query, therapistId),
      attempt: attempt && withFirst(attempt, therapistId),
    };
  }

  private compile(context: PlanContext): CompiledRead {
    const plan = planRead(this.request, context);
    const { therapistId } = context;
    return { plan, query: compileRead(plan, therapistId), attempt: compileAttempt(plan, therapistId) };
  }
}
