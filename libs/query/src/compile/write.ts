// The queries of a write: the rows that it affects, and the rows in its response. Deciders decide what happens to the rows.

import { isConfidential, kinds } from '@practice/resource';
import { limits } from '../limits.js';
import { arrayLiteral } from '../operators.js';
import type { WriteTerms } from '../plan/terms.js';
import type { PlannedCondition } from '../plan/read-plan.js';
import { changesNothing, type DeletePlan, type UpdatePlan, type WritePlan } from '../plan/write.js';
import { compileAccessed, idsSql } from './accessed.js';
import { shapeOf } from './body.js';
import { whereSql } from './condition.js';
import { columnSql, ownSql, tableSql } from './field.js';
import { termsSql } from './order.js';
import { groupSql } from './select.js';
import { bind, checksSql, finished, rootScope, type SqlQuery } from './scope.js';

/**
 * The rows that a PATCH or DELETE affects, by id: `version`, then every column of the resource, internal ones too.
 * It returns at most one row more than a request may write, which is enough to detect too many.
 */
export function compileTargets(plan: UpdatePlan | DeletePlan): SqlQuery {
  const scope = rootScope(plan.therapistId);
  const columns = Object.keys(plan.resource.columns).map((name) => columnSql(name, scope));
  const where = whereSql(ownSql(scope), plan.where, scope) + checksSql('AND', scope);
  const limit = bind(scope, String(limits.writtenRows + 1));
  const from = `FROM ${tableSql(plan, scope)} WHERE ${where}${changesNothing(plan) ? ' AND false' : ''}`;
  return finished(
    `SELECT ${['t.version', ...columns].join(', ')} ${from} ORDER BY t."id" LIMIT ${limit}`,
    scope,
  );
}

/**
 * The stored records that a write is about, as the column `accessed`: a refusal may depend on any of them. Undefined for new records
 * and for a resource that is not confidential.
 */
export function compileConcerned(plan: WritePlan): SqlQuery | undefined {
  if (plan.kind === 'insert' || !isConfidential(plan.resource)) return undefined;
  const scope = rootScope(plan.therapistId);
  const named = (): string => {
    const given = plan.kind === 'upsert' ? plan.records.map(({ id }) => id) : [];
    const ids = given.filter((id) => typeof id === 'string' && kinds.uuid.parse(id).ok) as string[];
    return ` AND ${columnSql('id', scope)} = ANY (${bind(scope, arrayLiteral(ids))}::uuid[])`;
  };
  const where = plan.kind === 'upsert' ? [] : plan.where;
  const node = { resource: plan.resource, where };
  const own = plan.kind === 'upsert' ? `${ownSql(scope)}${named()}` : ownSql(scope);
  const all = (conditions: readonly PlannedCondition[]): string =>
    idsSql(`FROM ${tableSql(plan, scope)} WHERE ${whereSql(own, conditions, scope)}`, scope);
  return compileAccessed({ node, all }, scope);
}

/**
 * The records with these ids in the form that the caller asks for: one row with `body` (text) and `page` (int).
 * Unless the caller asks for an order, they have the order of the ids. For a DELETE the query must run before the rows are deleted.
 */
export function compileReturning(plan: WriteTerms, ids: readonly string[]): SqlQuery {
  if (plan.returning === null) throw new Error('the response contains no records');
  const { select, order, where, semiJoinKeys } = plan.returning;
  const scope = rootScope(plan.therapistId, { semiJoinKeys });
  const asked = `unnest(${bind(scope, arrayLiteral(ids))}::uuid[]) WITH ORDINALITY AS asked(id, ordinal)`;
  const meets = whereSql(ownSql(scope), where, scope);
  const from = `FROM ${asked} JOIN ${tableSql(plan, scope)} ON t."id" = asked.id WHERE ${meets}`;
  const { list, body, beside = '' } = shapeOf(select, plan.media, scope);
  const terms = [
    ...(order.length === 0 ? [] : [termsSql(order, scope)]),
    ...(select.isGrouped ? [] : ['asked.ordinal']),
  ];
  const by = terms.length === 0 ? '' : ` ORDER BY ${terms.join(', ')}`;
  const rows = `SELECT ${list} ${from}${groupSql({ select, order }, scope)}${by}`;
  const checks = checksSql('HAVING', scope);
  return finished(
    `SELECT ${body} AS body, count(*)::int AS page FROM (${rows}) AS r${beside}${checks}`,
    scope,
  );
}
