import type { PracticeRole } from '@practice/core';
import type { PlanContext } from '../plan/context.js';
import { namesPractice } from '../plan/practice.js';
import { isOfOneUser } from '../plan/read-node.js';
import { planSubquery } from '../plan/subplan.js';
import type { KeysPlan, RowsPlan, Subquery, SubqueryResult } from '../plan/subplan.js';
import { withFirst, type SqlQuery } from './scope.js';
import { compileKeys, compileRows, compileSubplanAttempt, keysLiteral, type WantedKeys } from './subplan.js';

interface Compiled {
  readonly plan: RowsPlan | KeysPlan;
  readonly query: SqlQuery;
  readonly attempt: SqlQuery | undefined;
}

/** A subquery that is planned and compiled once for each role, for all practices and keys, with the exceptions of `PreparedRead`. */
export class PreparedSubquery {
  private readonly isShared: boolean;
  private readonly shared = new Map<PracticeRole, Compiled>();

  constructor(
    readonly subquery: Subquery,
    private readonly result: SubqueryResult,
  ) {
    this.isShared = !namesPractice(subquery.options.conditions);
  }

  /**
   * The subquery, ready to run. If `query` fails, `attempt` is run: it finds the records that the error may depend on.
   * @param keys the keys whose rows are wanted; empty if the result is keys
   * @throws {Rejection} as `planSubquery`
   */
  for(context: PlanContext, keys: WantedKeys) {
    const isShared = this.isShared && (context.semiJoinKeys?.length ?? 0) === 0;
    const known = isShared ? this.shared.get(context.practiceRole) : undefined;
    const compiled = known ?? this.compile(context, keys);
    if (isShared && known === undefined && !isOfOneUser(compiled.plan.node))
      this.shared.set(context.practiceRole, compiled);
    const { plan, query, attempt } = compiled;
    const { therapistId } = context;
    const own = (shared: SqlQuery): SqlQuery =>
      withFirst(shared, therapistId, ...(plan.kind === 'keys' ? [] : [keysLiteral(keys)]));
    return { resource: plan.node.resource, query: own(query), attempt: attempt && own(attempt) };
  }

  /** Whether the subquery has no keys to return rows for, so that it only checks its conditions. */
  isOfNoRows(keys: WantedKeys): boolean {
    return this.result.kind === 'rows' && keys.length === 0;
  }

  private compile(context: PlanContext, keys: WantedKeys): Compiled {
    const { therapistId } = context;
    const plan = planSubquery(this.subquery, this.result, context);
    const query =
      plan.kind === 'keys' ? compileKeys(plan, therapistId) : compileRows(plan, therapistId, keys);
    return { plan, query, attempt: compileSubplanAttempt(plan, therapistId, keys) };
  }
}
