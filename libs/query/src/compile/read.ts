import type { ReadPlan } from '../plan/read.js';
import { whereSql } from './condition.js';
import { tableOf } from './field.js';
import { orderSql } from './order.js';
import { bodySql, shapeOf } from './select.js';
import { bind } from './statement.js';
import type { Statement } from './statement.js';

/**
 * A read as one statement that answers one row: `body` (text), `page` (int, rows in the body) and, where it is
 * counted, `total` (int). The body of a HEAD is null.
 */
export function compileRead(plan: ReadPlan): Statement {
  const values: string[] = [];
  const table = tableOf(plan.resource);
  const where = whereSql(plan.therapistId, plan.where, values);
  const shape = plan.hasBody ? shapeOf(plan.select, plan.media, values) : { list: '1', json: '' };
  const order = orderSql(plan.order, values);
  const limit = bind(values, String(plan.limit));
  const offset = bind(values, String(plan.offset));
  const body = plan.hasBody ? bodySql(shape.json, plan.media) : 'NULL';
  const total = plan.isCounted ? `, ${totalSql({ table, where, limit, offset })} AS total` : '';
  const page = `SELECT ${shape.list} FROM ${table} WHERE ${where} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`;
  return { text: `SELECT ${body} AS body, count(*)::int AS page${total} FROM (${page}) AS r`, values };
}

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
