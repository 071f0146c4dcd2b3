// A page by cursor. Its keys are found first, with the indexes of the order; then the rows of these keys are read. Every page shows the
// records as they were at the position in the log at which the first one was read, so a write moves no row between pages.

import { schemaOf } from '@practice/core';
import { isView, lifecycleOf, versionsName, visibleColumns, type Resource } from '@practice/resource';
import type { PlannedField } from '../plan/read-plan.js';
import type { ReadPlan } from '../plan/read.js';
import { fieldSql, tableSql } from './field.js';
import { withInstantsSql } from './instants.js';
import { keysetSql, type CompiledStart, type OrderedKey } from './keyset.js';
import { directionSql } from './order.js';
import { bind, PRACTICE, quoted, type Scope } from './scope.js';

/** A table with the alias of the scope, and a condition on its rows. */
interface Branch {
  readonly table: string;
  readonly condition: string;
}

interface Rows {
  readonly ctes: readonly string[];
  readonly branches: readonly Branch[];
  readonly table: string;
}

/**
 * The parts of a statement that reads a page.
 * @param where the conditions of the read, about rows of any of its tables
 * @param start null for the first page
 */
export function pageSqlOf(
  plan: ReadPlan,
  { where, start }: { readonly where: string; readonly start: CompiledStart | null },
  scope: Scope,
) {
  const position =
    start === null ? headSql(plan.resource) : `${bind(scope, start.position, start.slot)}::bigint`;
  const { ctes, branches, table } = rowsOf(plan, start === null ? null : position, scope);
  const sql = plan.order.map(({ by }) => fieldSql((by as { field: PlannedField }).field, scope));
  const isBehind = start === null ? 'true' : keysetSql(keysOf(plan, sql), start, scope);
  const names = sql.map((_, index) => `k${index + 1}`);
  const id = `${scope.table}.${quoted(keyOf(plan.resource))} AS id`;
  const columns = [...sql.map((key, index) => `${key} AS ${names[index]}`), id].join(', ');
  const order = plan.order.map((term, index) => `${index + 1}${directionSql(term)}`).join(', ');
  const limit = bind(scope, String(plan.limit));
  const end = `ORDER BY ${order} LIMIT ${limit}::bigint + 1${start === null ? ` OFFSET ${bind(scope, String(plan.offset))}` : ''}`;
  const keys = branches.map(
    ({ table: from, condition }) =>
      `(SELECT ${columns} FROM ${from} WHERE ${where} AND ${condition} AND ${isBehind} ${end})`,
  );
  const found = keys.length === 1 ? keys[0] : `(${keys.join(' UNION ALL ')} ${end})`;
  const outer = plan.order.map((term, index) => `p.${names[index]}${directionSql(term)}`).join(', ');
  const last = names.map((name) => `p.${name}::text`).join(', ');
  const next = `(SELECT json_build_array((${position})::text, json_build_array(${last}))::text FROM page AS p ORDER BY ${outer} LIMIT 1 OFFSET greatest(${limit}::bigint - 1, 0))`;
  return {
    /** Before SELECT. */
    before: `WITH ${[...ctes, `page AS MATERIALIZED ${found}`].join(', ')} `,
    /** The table of the rows of the page, and of all rows that are counted. */
    table,
    /** The condition on the rows of the page. */
    isOnPage: `${scope.table}.${quoted(keyOf(plan.resource))} = ANY (ARRAY(SELECT p.id FROM page AS p ORDER BY ${outer} LIMIT ${limit}))`,
    /** The start of the next page as JSON, null on the last one: `[position, [key, …]]`. */
    next: `CASE WHEN ${limit}::bigint > 0 AND (SELECT count(*) FROM page) > ${limit}::bigint THEN ${next} END`,
  };
}

/** The column that identifies a row. A row of a history is an event. */
const keyOf = ({ historyOf }: Resource): string => (historyOf === undefined ? 'id' : 'position');

const headSql = ({ service }: Resource): string =>
  `coalesce((SELECT h.position FROM ${quoted(schemaOf(service))}.practice_head AS h WHERE h.therapist_id = ${PRACTICE}::uuid), 0)`;

const keysOf = ({ resource, order }: ReadPlan, sql: readonly string[]): OrderedKey[] =>
  order.map(({ by, descending, nulls }, index) => {
    const { field } = by as { field: PlannedField };
    return {
      sql: sql[index] ?? '',
      type: field.type.sqlType,
      isDescending: descending,
      areNullsFirst: nulls === null ? descending : nulls === 'first',
      isNullable: isNullable(resource, field),
    };
  });

function isNullable({ columns }: Resource, { column: { name, virtual }, path }: PlannedField): boolean {
  if (path.length > 0 || virtual !== undefined) return true;
  // A version is not a column of the record.
  const column = columns[name];
  return column !== undefined && (column.nullable || column.personal !== undefined);
}

/** The rows at a position in the log, or the present rows for null. A read of a named instant needs no position. */
function rowsOf(plan: ReadPlan, position: string | null, scope: Scope): Rows {
  const { resource, asOf } = plan;
  const one = (condition: string): Rows => {
    const table = tableSql(plan, scope);
    return { ctes: [], branches: [{ table, condition }], table };
  };
  if (position === null || asOf !== null) return one('true');
  if (resource.historyOf !== undefined) return one(`${scope.table}.position <= ${position}`);
  return isView(resource) || resource.fromStart === true ? one('true') : sinceSql(resource, position, scope);
}

/**
 * The rows of a resource at a position in the log: present rows whose records have no later event, and the versions that later events
 * have replaced. If two versions have the same millisecond, only the later is stored. If a version is missing, the present row is used.
 */
function sinceSql(resource: Resource, position: string, { table }: Scope): Rows {
  const { service, aggregate, name } = resource;
  const schema = quoted(schemaOf(service));
  const versions = `${schema}.${quoted(versionsName(name))}`;
  const moved = `moved AS MATERIALIZED (SELECT e.stream_id AS id, min(e.version) - 1 AS version FROM ${schema}.events AS e WHERE e.therapist_id = ${PRACTICE}::uuid AND e.position > ${position} AND e.aggregate = '${aggregate}' GROUP BY 1)`;
  const past = `past AS NOT MATERIALIZED ${versionsAsRecords(resource, versions)}`;
  // An undo, for example, continues the stream of a deleted record.
  const deletion = `SELECT FROM ${schema}.events AS d WHERE d.therapist_id = ${PRACTICE}::uuid AND d.aggregate = '${aggregate}' AND d.stream_id = m.id AND d.version = m.version AND d.type = ANY ('{${lifecycleOf(resource).deleted.join(',')}}')`;
  const gone = `gone AS MATERIALIZED (SELECT m.id FROM moved AS m WHERE m.version = 0 OR EXISTS (${deletion}) UNION ALL SELECT o.id FROM past AS o)`;
  const columns = visibleColumns(resource).map(([column]) => quoted(column));
  const shown = [...columns, 'version', '_json'].join(', ');
  const present = withInstantsSql(resource, `${schema}.${quoted(name)}`, null);
  const isUnmoved = (alias: string): string => `${alias}.id NOT IN (SELECT g.id FROM gone AS g)`;
  return {
    ctes: [moved, past, gone],
    branches: [
      { table: `${present} AS ${table}`, condition: isUnmoved(table) },
      { table: `past AS ${table}`, condition: 'true' },
    ],
    table: `(SELECT ${shown} FROM ${present} AS n WHERE ${isUnmoved('n')} UNION ALL SELECT ${shown} FROM past AS o) AS ${table}`,
  };
}

/** Versions with the JSON that is stored beside records. */
function versionsAsRecords(resource: Resource, versions: string): string {
  const columns = visibleColumns(resource);
  const own = columns.map(([name]) => `v.${quoted(name)}`).join(', ');
  const rows = `(SELECT ${own}, v.version FROM ${versions} AS v JOIN moved AS m ON m.id = v.id AND m.version = v.version WHERE v.therapist_id = ${PRACTICE}::uuid)`;
  const members = columns.map(
    ([name, { kind }]) => `${kind.shown?.(`w.${quoted(name)}`) ?? `w.${quoted(name)}`} AS ${quoted(name)}`,
  );
  const json = `(SELECT row_to_json(j.*)::text FROM (SELECT ${members.join(', ')}) AS j)`;
  return `(SELECT w.*, ${json} AS _json FROM ${withInstantsSql(resource, rows)} AS w)`;
}
