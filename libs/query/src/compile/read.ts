import type { ReadPlan } from '../plan/read.js';
import { examinedColumn } from '../plan/examined.js';
import type { PlannedCondition, PlannedEmbed, PlannedItem } from '../plan/read-plan.js';
import { accessedColumn, compileAccessed, idsSql, showsOnlyCount } from './accessed.js';
import { shapeOf } from './body.js';
import { checkConditions, whereSql } from './condition.js';
import { columnSql, ownSql, recordsetSql, tableSql } from './field.js';
import { orderSql } from './order.js';
import { groupSql, listSql } from './select.js';
import { bind, checksSql, finished, rootScope, type Scope, type SqlQuery } from './scope.js';
import type { Shape } from './shape.js';

/**
 * A read as one query that returns one row: `body` (text), `page` (int, rows in the body), `total` (int) if it is counted,
 * `version` (int) if it reads one record, and `accessed` for a confidential resource. The body of a HEAD is null.
 */
export function compileRead(plan: ReadPlan, therapistId: string): SqlQuery {
  const scope = rootScope(therapistId, plan);
  return compiled(plan, { table: tableSql(plan, scope), own: ownSql(scope) }, scope);
}

/** The same for the rows that a function returned. They are the first parameter, as JSON, in the place of the practice. */
export function compileCall(plan: ReadPlan): SqlQuery {
  const scope = rootScope('[]');
  return compiled(plan, { table: recordsetSql(plan.resource, scope), own: 'true' }, scope);
}

/** Where the rows are, and the condition on each of them. */
interface Source {
  readonly table: string;
  readonly own: string;
}

function compiled(plan: ReadPlan, { table, own }: Source, scope: Scope): SqlQuery {
  const from = `FROM ${table} WHERE ${whereSql(own, plan.where, scope)}`;
  const shape = plan.hasBody ? shapeOf(plan.select, plan.media, scope) : headShape(plan, scope);
  const { list, body, beside = '' } = shape;
  const group = groupSql(plan, scope);
  const order = orderSql(plan.order, scope);
  const limit = bind(scope, String(plan.limit));
  const offset = bind(scope, String(plan.offset));
  const total = plan.isCounted ? `, ${totalSql(plan, { from, limit, offset })}::int AS total` : '';
  const version = plan.isVersioned ? `, (SELECT max(${columnSql('version', scope)}) ${from}) AS version` : '';
  const { isGrouped } = plan.select;
  const accessed = accessedColumn({
    node: plan,
    // A group shows something of each of its records.
    shown: () => idsSql(isGrouped ? from : `${from}${order} LIMIT ${limit} OFFSET ${offset}`, scope),
    all: (where) => allIds(where, { table, own }, scope),
    isWide: isGrouped || plan.isCounted || plan.isVersioned,
    showsRecords: plan.hasBody && !showsOnlyCount(plan.select),
  });
  const page = `SELECT ${list} ${from}${group}${order} LIMIT ${limit} OFFSET ${offset}`;
  checkConditions(plan.hasBody ? hiddenEmbeds(plan) : plan.embeds, scope);
  const checks = checksSql('HAVING', scope);
  return finished(
    `SELECT ${body} AS body, count(*)::int AS page${total}${version}${accessed} FROM (${page}) AS r${beside}${checks}`,
    scope,
  );
}

/** The records that an error of a read may depend on; undefined if it does not depend on confidential values. */
export function compileAttempt(plan: ReadPlan, therapistId: string): SqlQuery | undefined {
  if (examinedColumn(plan) === undefined) return undefined;
  const scope = rootScope(therapistId, plan);
  const source = { table: tableSql(plan, scope), own: ownSql(scope) };
  return compileAccessed({ node: plan, all: (where) => allIds(where, source, scope) }, scope);
}

const allIds = (where: readonly PlannedCondition[], { table, own }: Source, scope: Scope): string =>
  idsSql(`FROM ${table} WHERE ${whereSql(own, where, scope)}`, scope);

/** Embeds that the response does not show. At most their existence is part of the query. */
const hiddenEmbeds = ({ embeds, select }: ReadPlan): readonly PlannedEmbed[] =>
  embeds.filter(
    (embed) =>
      !select.items.some((item) => ('embed' in item ? item.embed === embed : usesOf(item).includes(embed))),
  );

const usesOf = (item: PlannedItem): readonly PlannedEmbed[] =>
  item.kind === 'aggregate' ? item.through : [];

/** A HEAD needs the columns of a row only if they are the key of its groups. */
const headShape = ({ select }: ReadPlan, scope: Scope): Shape => ({
  list: select.isGrouped ? listSql(select, scope) : '1',
  body: 'NULL',
});

interface Page {
  /** FROM and WHERE of everything that is counted. */
  readonly from: string;
  readonly limit: string;
  readonly offset: string;
}

/** Rows are counted before they are grouped. A page that is not full implies the total, so only a full or empty one reads again. */
function totalSql({ select }: ReadPlan, { from, limit, offset }: Page): string {
  if (select.isGrouped) return `(SELECT count(*) ${from})`;
  const isImplied = `count(*) < ${limit} AND (count(*) > 0 OR ${offset} = 0)`;
  return `(CASE WHEN ${isImplied} THEN ${offset} + count(*) ELSE (SELECT count(*) ${from}) END)`;
}
