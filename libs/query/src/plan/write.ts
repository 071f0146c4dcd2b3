import { problemFor, reject } from '@practice/core';
import type { ParsedRequest } from '../parse/request.js';
import { planning, resourceOf, type PlanContext } from './context.js';
import { firstOwn } from './node-options.js';
import { planWhere } from './read-node.js';
import type { PlannedCondition } from './read-plan.js';
import { checkWriteExamines } from './examined.js';
import { checkRight } from './permission.js';
import { checkPractice } from './practice.js';
import { planChanges, planRecords } from './records.js';
import { checkMethod, isFiltered, planReturning, planTerms, type WriteTerms } from './terms.js';
import { isUpsert, methodNeeded, namedId, upsertOf, type UpsertPlan } from './upsert.js';

export interface InsertPlan extends WriteTerms {
  readonly kind: 'insert';
  /** Visible column → JSON value as in the body; a column left out takes its default. */
  readonly records: readonly Readonly<Record<string, unknown>>[];
}

export interface UpdatePlan extends WriteTerms {
  readonly kind: 'update';
  /** Visible column → JSON value; if empty, nothing is changed. */
  readonly changes: Readonly<Record<string, unknown>>;
  readonly where: readonly PlannedCondition[];
}

export interface DeletePlan extends WriteTerms {
  readonly kind: 'delete';
  readonly where: readonly PlannedCondition[];
}

export type WritePlan = InsertPlan | UpsertPlan | UpdatePlan | DeletePlan;

/** Whether a write is a PATCH without changes, which affects no row with any filter. */
export const changesNothing = (plan: UpdatePlan | DeletePlan): boolean =>
  plan.kind === 'update' && Object.keys(plan.changes).length === 0;

/**
 * Plans a POST, PUT, PATCH or DELETE.
 * @throws {Rejection} PGRST205, PGRST117, PGRST200, PGRST108, PGRST105, PGRST204, 42501, 42703, 42883, 42804, 42704, PGRST122, PGRST107,
 *   PGRST115, 42P10, 21000
 */
export function planWrite(parsed: ParsedRequest, context: PlanContext): WritePlan {
  const { method, options, preferences } = parsed;
  const { practiceRole: role, therapistId } = context;
  const resource = resourceOf(context, parsed.resource);
  checkMethod(resource, method, methodNeeded(parsed));
  checkRight(resource, role, method === 'DELETE' ? 'delete' : 'write');
  // Also for a POST, whose filters have no other effect.
  checkPractice(options.conditions, therapistId, resource.name);
  const id = method === 'PUT' ? namedId(parsed, therapistId) : null;
  const plan = planning(context, preferences);
  const returning = planReturning(resource, parsed, plan);
  const changes = method === 'PATCH' ? planChanges(resource, parsed, role) : null;
  const records = isFiltered(method) ? [] : planRecords(resource, parsed, role);
  const terms = { returning, ...planTerms(resource, parsed, context) };
  const table = { resource, alias: resource.name, problems: plan.problems, role, embeds: [] };
  const where = isFiltered(method) ? planWhere(table, options, context) : [];
  plan.problems.report();
  if (isUpsert(parsed)) return { ...upsertOf(resource, parsed, { id, records, role }), ...terms };
  if (method === 'POST') return { kind: 'insert', records, ...terms };
  checkWriteExamines({ resource, where });
  if (firstOwn(options.conditions) === undefined) checkHarmless(changes);
  return changes === null
    ? { kind: 'delete', where, ...terms }
    : { kind: 'update', changes, where, ...terms };
}

/** Rejects a write without a filter, which would affect every row, unless it changes nothing. */
function checkHarmless(changes: UpdatePlan['changes'] | null): void {
  if (changes === null) reject(unfiltered('DELETE'));
  if (Object.keys(changes).length > 0) reject(unfiltered('UPDATE'));
}

/** 21000, as pg-safeupdate reports it: a forgotten filter must not affect every row. */
const unfiltered = (command: 'UPDATE' | 'DELETE') =>
  problemFor('21000', {
    message: `${command} requires a WHERE clause`,
    hint: 'Select the rows with a filter, such as id=eq.…',
  });
