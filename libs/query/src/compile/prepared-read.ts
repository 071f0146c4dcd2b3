import type { PracticeRole } from '@practice/core';
import type { ParsedRequest } from '../parse/request.js';
import type { PlanContext } from '../plan/context.js';
import { namesPractice } from '../plan/practice.js';
import { isOfOneUser } from '../plan/read-node.js';
import { planRead, type ReadPlan } from '../plan/read.js';
import { compileAttempt, compileRead } from './read.js';
import { filled, type Given } from '../plan/read-shape.js';
import { withValues, type SqlQuery } from './scope.js';

/** A read, ready to run. */
export interface CompiledRead {
  readonly plan: ReadPlan;
  readonly query: SqlQuery;
  /** Run if the query fails: the records that the error may depend on. */
  readonly attempt?: SqlQuery | undefined;
}

/**
 * The shape of a read: planned and compiled once for each role, for all practices and values. A request that names a practice, or
 * depends on keys fetched from other services, is planned each time. Defended by the bench row "one day, 8 rows".
 */
export class PreparedRead {
  private readonly isShared: boolean;
  /** For each role: compiled as a whole, and in pieces for a composed response. */
  private readonly shared = new Map<PracticeRole, { whole?: CompiledRead; pieces?: CompiledRead }>();

  /** @param request a shape, or a whole request */
  constructor(readonly request: ParsedRequest) {
    this.isShared = !namesPractice(request.options.conditions);
  }

  /**
   * @param given what the request has beside its shape; without it the request is whole
   * @throws {Rejection} as `planRead`
   */
  for(context: PlanContext, given?: Given): CompiledRead {
    if (!this.isShared || (context.semiJoinKeys?.length ?? 0) > 0)
      return compile(given === undefined ? this.request : filled(this.request, given), context);
    const shared = this.planned(context);
    const bound = (query: SqlQuery): SqlQuery => withValues(query, context.therapistId, given?.values ?? []);
    return {
      plan: given === undefined ? shared.plan : { ...shared.plan, canonicalQuery: given.canonicalQuery },
      query: bound(shared.query),
      attempt: shared.attempt && bound(shared.attempt),
    };
  }

  private planned(context: PlanContext): CompiledRead {
    const form = context.semiJoinKeys === undefined ? 'whole' : 'pieces';
    const forms = this.shared.get(context.practiceRole) ?? {};
    this.shared.set(context.practiceRole, forms);
    const compiled = forms[form] ?? compile(this.request, context);
    // A plan for records that only the caller sees is not for others.
    if (!isOfOneUser(compiled.plan)) forms[form] = compiled;
    return compiled;
  }
}

function compile(request: ParsedRequest, context: PlanContext): CompiledRead {
  const plan = planRead(request, context);
  const { therapistId } = context;
  return { plan, query: compileRead(plan, therapistId), attempt: compileAttempt(plan, therapistId) };
}
