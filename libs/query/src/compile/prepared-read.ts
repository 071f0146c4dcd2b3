import type { PracticeRole } from '@practice/core';
import type { FunctionDefinition } from '@practice/resource';
import type { ParsedRequest } from '../parse/request.js';
import type { PlanContext } from '../plan/context.js';
import { namesPractice } from '../plan/practice.js';
import type { PageStart } from '../plan/paging.js';
import { isOfOneUser } from '../plan/read-node.js';
import { planRead, type ReadPlan } from '../plan/read.js';
import type { CompiledStart } from './keyset.js';
import { compileAttempt, compileRead, compileCall } from './read.js';
import { filled, type Given } from '../plan/read-shape.js';
import { type SqlQuery, withFirst, withValues } from './scope.js';
import { type CallPlan, planCall } from '../plan/call.js';

/** A read, ready to run. */
export interface CompiledRead {
  readonly plan: ReadPlan;
  readonly query: SqlQuery;
  /** Run if the query fails: the records that the error may depend on. */
  readonly attempt?: SqlQuery | undefined;
}

/**
 * The shape of a read: planned and compiled once for each role, for all practices and values. A request that names a practice, or
 * depends on keys fetched from other services, is planned each time. The bench row "one day, 8 rows" shows the gain.
 */
export class PreparedRead {
  private readonly isShared: boolean;
  /** The compiled reads by role, then by form: whole, or in pieces for a composed response. A form also has the nulls of its cursor. */
  private readonly shared = new Map<PracticeRole, Record<string, CompiledRead>>();

  /** @param request a shape, or a whole request */
  constructor(readonly request: ParsedRequest) {
    this.isShared = !namesPractice(request.options.conditions);
  }

  /**
   * @param given the rest of the request in addition to its shape; absent if the request is whole
   * @param start the row that a next page begins after
   * @throws {Rejection} as `planRead`
   */
  for(context: PlanContext, given?: Given, start: PageStart | null = null): CompiledRead {
    if (this.isOfOneRequest(context)) return compile(wholeOf(this.request, given), context, start);
    const values = given?.values ?? [];
    const shared = this.planned(context, start && { slot: values.length, ...start });
    const all = [...values, ...valuesOf(start)];
    const bound = (query: SqlQuery): SqlQuery => withValues(query, context.therapistId, all);
    return {
      plan: given === undefined ? shared.plan : { ...shared.plan, canonicalQuery: given.canonicalQuery },
      query: bound(shared.query),
      attempt: shared.attempt && bound(shared.attempt),
    };
  }

  private isOfOneRequest({ semiJoinKeys = [] }: PlanContext): boolean {
    return !this.isShared || semiJoinKeys.length > 0;
  }

  private planned(context: PlanContext, start: CompiledStart | null): CompiledRead {
    const form = (context.semiJoinKeys === undefined ? 'whole' : 'pieces') + nullsOf(start);
    const forms = this.shared.get(context.practiceRole) ?? {};
    this.shared.set(context.practiceRole, forms);
    const compiled = forms[form] ?? compile(this.request, context, start);
    // A plan for records that only this caller sees must not be used for other callers.
    if (!isOfOneUser(compiled.plan)) forms[form] = compiled;
    return compiled;
  }
}

const wholeOf = (request: ParsedRequest, given: Given | undefined): ParsedRequest =>
  given === undefined ? request : filled(request, given);

/** The values of a start, in the order of its slots. */
const valuesOf = (start: PageStart | null): readonly string[] =>
  start === null ? [] : [start.position, ...start.key.map((key) => key ?? '')];

/** A digit for each key value of a start: 0 for null, 1 for a value. The text of the statement depends on it. */
const nullsOf = (start: CompiledStart | null): string =>
  start?.key.map((key) => (key === null ? '0' : '1')).join('') ?? '';

function compile(request: ParsedRequest, context: PlanContext, start: CompiledStart | null): CompiledRead {
  const plan = planRead(request, context);
  const { therapistId } = context;
  return { plan, query: compileRead(plan, therapistId, start), attempt: compileAttempt(plan, therapistId) };
}

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
