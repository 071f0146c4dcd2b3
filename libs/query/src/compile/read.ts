import type { ReadPlan } from '../plan/read.js';
import { shapeOf } from './body.js';
import { whereSql } from './condition.js';
import { columnSql, ownSql, tableSql } from './field.js';
import { orderSql } from './order.js';
import { groupSql, listSql } from './select.js';
import { bind, rootScope } from './scope.js';
import type { Scope, SqlQuery } from './scope.js';

/**
 * A read as one statement that answers one row: `body` (text), `page` (int, rows in the body) and, where it is
 * counted, `total` (int); last, where it is of one record, the `version` of that (int). The body of a HEAD is null.
 */
export function compileRead(plan: ReadPlan): SqlQuery {
  const scope = rootScope(plan.therapistId, plan.semiJoinKeys);
  const from = `FROM ${tableSql(plan.resource, scope)} WHERE ${whereSql(ownSql(scope), plan.where, scope)}`;
  const { list, body } = plan.hasBody ? shapeOf(plan, plan.media, scope) : headShape(plan, scope);
  const group = groupSql(plan.select);
  const order = orderSql(plan.order, scope);
  const limit = bind(scope, String(plan.limit));
  const offset = bind(scope, String(plan.offset));
  const counted = plan.select.isGrouped ? `FROM (SELECT ${list} ${from}${group}) AS g` : from;
  const total = plan.isCounted ? `, ${totalSql({ counted, limit, offset })} AS total` : '';
  const version = plan.isVersioned ? `, (SELECT max(${columnSql('version', scope)}) ${from}) AS version` : '';
  const page = `SELECT ${list} ${from}${group}${order} LIMIT ${limit} OFFSET ${offset}`;
  return {
    text: `SELECT ${body} AS body, count(*)::int AS page${total}${version} FROM (${page}) AS r`,
    values: scope.values,
  };
}

/** The columns of a row matter to a HEAD only where they make the groups. */
const headShape = ({ select }: ReadPlan, scope: Scope) => ({
  list: select.isGrouped ? listSql(select, scope) : '1',
  body: 'NULL',
});

interface Counted {
  /** FROM and WHERE of everything that is counted. */
  readonly counted: string;
  readonly limit: string;
  readonly offset: string;
}

/** A page that is not full tells the total; only a full one, or one past the end, needs a second look at the table. */
function totalSql({ counted, limit, offset }: Counted): string {
  const tells = `count(*) < ${limit} AND (count(*) > 0 OR ${offset} = 0)`;
  return `(CASE WHEN ${tells} THEN ${offset} + count(*) ELSE (SELECT count(*) ${counted}) END)::int`;
}
