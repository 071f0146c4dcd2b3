import type { ReadPlan } from '../plan/read.js';
import { whereSql } from './condition.js';
import { tableSql } from './field.js';
import { orderSql } from './order.js';
import { shapeOf } from './select.js';
import type { Shape } from './select.js';
import { bind, rootScope } from './statement.js';
import type { Statement } from './statement.js';

/**
 * A read as one statement that answers one row: `body` (text), `page` (int, rows in the body) and, where it is
 * counted, `total` (int). The body of a HEAD is null.
 */
export function compileRead(plan: ReadPlan): Statement {
  const scope = rootScope();
  const table = tableSql(plan.resource, scope);
  const where = whereSql(plan, scope);
  const shape = plan.hasBody ? shapeOf(plan.select, plan.media, scope) : NO_BODY;
  const order = orderSql(plan.order, scope);
  const limit = bind(scope, String(plan.limit));
  const offset = bind(scope, String(plan.offset));
  const total = plan.isCounted ? `, ${totalSql({ table, where, limit, offset })} AS total` : '';
  const page = `SELECT ${shape.list} FROM ${table} WHERE ${where} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`;
  return {
    text: `SELECT ${shape.body} AS body, count(*)::int AS page${total} FROM (${page}) AS r`,
    values: scope.values,
  };
}

const NO_BODY: Shape = { list: '1', body: 'NULL' };

interface Counted {
  readonly table: string;
  readonly where: string;
  readonly limit: string;
  readonly offset: string;
}

/** A page that is not full tells the total; only a full one, or one past the end, needs a second look at the table. */
function totalSql({ table, where, limit, offset }: Counted): string {
  const tells = `count(*) < ${limit} AND (count(*) > 0 OR ${offset} = 0)`;
  return `(CASE WHEN ${tells} THEN ${offset} + count(*) ELSE (SELECT count(*) FROM ${table} WHERE ${where}) END)::int`;
}
