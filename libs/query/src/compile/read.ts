import type { ReadPlan } from '../plan/read.js';
import { examinedColumn } from '../plan/examined.js';
import type { PlannedCondition, PlannedEmbed } from '../plan/read-plan.js';
import { embedsOf } from '../plan/select.js';
import { accessedColumn, compileAccessed, idsSql, showsOnlyCount } from './accessed.js';
import { shapeOf } from './body.js';
import { checkConditions, whereSql } from './condition.js';
import { ownSql, recordsetSql, tableSql } from './field.js';
import { versionSql } from './instants.js';
import { orderSql } from './order.js';
import type { CompiledStart } from './keyset.js';
import { pageSqlOf } from './paging.js';
import { groupSql, listSql } from './select.js';
import { bind, checksSql, finished, rootScope, type Scope, type SqlQuery } from './scope.js';
import type { Shape } from './piece-columns.js';

/**
 * A read as one query that returns one row: `body` (text), `page` (int, rows in the body), `total` (int) if it is counted,
 * `version` (int) if it reads one record, `next` for a page by cursor,
 * and `accessed` for a confidential resource. The body of a HEAD is null.
 * @param start the row that a next page begins after
 */
export function compileRead(
  plan: ReadPlan,
  therapistId: string,
  start: CompiledStart | null = null,
): SqlQuery {
  const scope = { isOfNextPage: start !== null, ...rootScope(therapistId, plan) };
  const own = ownSql(scope);
  const present = tableSql(plan, scope);
  const where = whereSql(own, plan.where, scope);
  if (plan.paging === undefined) return compiled(plan, wholeOf(plan, present, { own, where }), scope);
  const { table, isOnPage, before, next } = pageSqlOf(plan, { where, start }, scope);
  const all = `FROM ${table} WHERE ${where}`;
  const from = `FROM ${table} WHERE ${own} AND ${isOnPage}`;
  return compiled(plan, { table, own, all, from, before, next: `, ${next} AS next`, offset: 0 }, scope);
}

/** The same for the rows that a function returned. The first parameter has these rows as JSON, instead of the practice. */
export function compileCall(plan: ReadPlan): SqlQuery {
  const scope = rootScope('[]');
  const table = recordsetSql(plan.resource, scope);
  return compiled(
    plan,
    wholeOf(plan, table, { own: 'true', where: whereSql('true', plan.where, scope) }),
    scope,
  );
}

/** Where the rows are, and the condition on each of them. */
interface Source {
  readonly table: string;
  readonly own: string;
}

/** The rows of a response. */
interface Rows extends Source {
  /** FROM and WHERE of everything that is counted. */
  readonly all: string;
  /** FROM and WHERE of the rows that the response has pages of. */
  readonly from: string;
  /** The text before the statement, and after its columns, for a page by cursor. */
  readonly before: string;
  readonly next: string;
  readonly offset: number;
}

/** The rows of a read that is not paged by cursor. */
function wholeOf(
  { offset }: ReadPlan,
  table: string,
  { own, where }: { readonly own: string; readonly where: string },
): Rows {
  const from = `FROM ${table} WHERE ${where}`;
  return { table, own, all: from, from, before: '', next: '', offset };
}

function compiled(plan: ReadPlan, rows: Rows, scope: Scope): SqlQuery {
  const { from, before, next } = rows;
  const shape = plan.hasBody ? shapeOf(plan.select, plan.media, scope) : headShape(plan, scope);
  const { list, body, beside = '' } = shape;
  const group = groupSql(plan, scope);
  const order = orderSql(plan.order, scope);
  const limit = bind(scope, String(plan.limit));
  const offset = bind(scope, String(rows.offset));
  const total = plan.isCounted ? `, ${totalSql(plan, rows, { limit, offset })}::int AS total` : '';
  const version = plan.isVersioned ? `, (SELECT max(${versionOf(plan, scope)}) ${from}) AS version` : '';
  const { isGrouped } = plan.select;
  const accessed = accessedColumn({
    node: plan,
    // A group depends on each of its records.
    shown: () => idsSql(isGrouped ? from : `${from}${order} LIMIT ${limit} OFFSET ${offset}`, scope),
    all: (where) => allIds(where, rows, scope),
    isWide: isGrouped || plan.isCounted || plan.isVersioned,
    showsRecords: plan.hasBody && !showsOnlyCount(plan.select),
  });
  const page = `SELECT ${list} ${from}${group}${order} LIMIT ${limit} OFFSET ${offset}`;
  checkConditions(plan.hasBody ? hiddenEmbeds(plan) : plan.embeds, scope);
  const checks = checksSql('HAVING', scope);
  return finished(
    `${before}SELECT ${body} AS body, count(*)::int AS page${total}${version}${next}${accessed} FROM (${page}) AS r${beside}${checks}`,
    scope,
  );
}

/** The version of a record; negative if the response has values that change without it. */
function versionOf({ resource, select, asOf }: ReadPlan, scope: Scope): string {
  const columns = select.items.map((item) => (item.kind === 'value' ? item.field.column : undefined));
  const hasOthers = columns.some((column) => column?.detached && column.isOneTimeSecret !== true);
  return asOf === null && hasOthers ? `-${scope.table}."version"` : versionSql(resource, scope);
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
  embeds.filter((embed) => !select.items.some((item) => embedsOf(item).includes(embed)));

/** A HEAD needs the columns of a row only if they are the key of its groups. */
const headShape = ({ select }: ReadPlan, scope: Scope): Shape => ({
  list: select.isGrouped ? listSql(select, scope) : '1',
  body: 'NULL',
});

/** Parameters of the statement. */
interface Page {
  readonly limit: string;
  readonly offset: string;
}

/** The total counts rows before they are grouped. A page that is not full implies the total, so only a full or empty page counts again. */
function totalSql({ select }: ReadPlan, { all, from }: Rows, { limit, offset }: Page): string {
  if (select.isGrouped || all !== from) return `(SELECT count(*) ${all})`;
  const isImplied = `count(*) < ${limit} AND (count(*) > 0 OR ${offset} = 0)`;
  return `(CASE WHEN ${isImplied} THEN ${offset} + count(*) ELSE (SELECT count(*) ${from}) END)`;
}
