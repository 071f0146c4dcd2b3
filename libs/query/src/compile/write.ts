// A write's own statements: which rows it hits, and what is answered of them. What happens to the rows is for deciders.

import { limits } from '../limits.js';
import type { DeletePlan, UpdatePlan, WritePlan } from '../plan/write.js';
import { whereSql } from './condition.js';
import { columnSql, tableOf } from './field.js';
import { orderSql } from './order.js';
import { bodySql, shapeOf } from './select.js';
import { arrayLiteral, bind } from './statement.js';
import type { Statement } from './statement.js';

/**
 * The rows that a PATCH or DELETE hits, by id: `version`, then every column of the resource, internal ones too.
 * At most one more than a request may write, so that too many can be told from just enough.
 */
export function compileTargets(plan: UpdatePlan | DeletePlan): Statement {
  const values: string[] = [];
  const columns = ['t.version', ...Object.keys(plan.resource.columns).map(columnSql)].join(', ');
  const where = whereSql(plan.therapistId, plan.where, values);
  const limit = bind(values, String(limits.writtenRows + 1));
  return {
    text: `SELECT ${columns} FROM ${tableOf(plan.resource)} WHERE ${where} ORDER BY t."id" LIMIT ${limit}`,
    values,
  };
}

/**
 * The records of these ids as the caller wants them back: one row with `body` (text) and `page` (int).
 * Without an order of the caller's they come in the order of the ids. For a DELETE it must run before the rows go.
 */
export function compileReturning(plan: WritePlan, ids: readonly string[]): Statement {
  const { select, order } = plan.returning ?? { select: 'whole', order: [] };
  const values: string[] = [];
  const own = `t.therapist_id = ${bind(values, plan.therapistId)}`;
  const asked = `unnest(${bind(values, arrayLiteral(ids))}::uuid[]) WITH ORDINALITY AS asked(id, place)`;
  const shape = shapeOf(select, plan.media, values);
  const by = order.length === 0 ? 'asked.place' : `${orderSql(order, values)}, asked.place`;
  const rows = `SELECT ${shape.list} FROM ${asked} JOIN ${tableOf(plan.resource)} ON t."id" = asked.id WHERE ${own} ORDER BY ${by}`;
  return {
    text: `SELECT ${bodySql(shape.json, plan.media)} AS body, count(*)::int AS page FROM (${rows}) AS r`,
    values,
  };
}
