// The columns of a query. An embedded node is one of them: a subquery that makes JSON of its own rows.

import { isTextual } from '../plan/casts.js';
import { isStoredRecord } from '../plan/select.js';
import type {
  PlannedAggregate,
  PlannedColumn,
  PlannedEmbed,
  PlannedField,
  PlannedItem,
  PlannedSelect,
  ReadNode,
} from '../plan/read-plan.js';
import { fieldSql, valueOfSql } from './field.js';
import { orderSql } from './order.js';
import { fromSql, isThereSql, oneOrNoneSql, relatedSql } from './related.js';
import { bind, innerScope, quoted, type Scope } from './scope.js';

/** Whether the rows are whole records, whose JSON is stored beside their columns. */
const isStored = ({ source, items }: PlannedSelect): boolean => isStoredRecord(source, items);

/** The select list. */
export const listSql = (select: PlannedSelect, scope: Scope): string =>
  isStored(select) ? `${scope.table}._json` : membersSql(select.items, scope);

/** As `listSql`, with a column for each member even of a stored record. */
export const membersSql = (items: readonly PlannedItem[], scope: Scope): string =>
  items.map((item) => `${itemSql(item, scope)} AS ${quoted(item.key)}`).join(', ');

/** The JSON of one row `r` of a select list. `r.*` rather than `r`: a caller may call one of its members `r`. */
export const rowJsonSql = (select: PlannedSelect): string =>
  isStored(select) ? 'r._json::json' : 'row_to_json(r.*)';

/** The same as text. */
export const rowTextSql = (select: PlannedSelect): string =>
  isStored(select) ? 'r._json' : 'row_to_json(r.*)::text';

/** The GROUP BY clause, with a space before it; empty without groups. Columns that only the order uses are added. */
export function groupSql(
  { select: { isGrouped, items }, order }: Pick<ReadNode, 'select' | 'order'>,
  scope: Scope,
): string {
  if (!isGrouped) return '';
  const members = items.flatMap(({ kind }, index) => (kind === 'aggregate' ? [] : [String(index + 1)]));
  const ordered = order.flatMap(({ by }) => (by.kind === 'field' ? columnsBehind(by.field) : []));
  const terms = [...members, ...ordered.map((column) => valueOfSql(column, scope))];
  return terms.length > 0 ? ` GROUP BY ${terms.join(', ')}` : '';
}

/** A rank is computed from columns. Postgres does not see that two ranks with different parameters are equal. */
const columnsBehind = ({ column }: PlannedField): readonly PlannedColumn[] =>
  column.virtual?.filters.map(({ field }) => field.column) ?? [column];

/** One member as a column. */
export function itemSql(item: PlannedItem, scope: Scope): string {
  switch (item.kind) {
    case 'value':
      return shownSql(item.field, item.cast, fieldSql(item.field, scope));
    case 'aggregate':
      return aggregateSql(item, scope);
    case 'embed':
      return groupedSql(item.isGroup, recordsSql(item.embed, scope));
    case 'spread':
      return spreadSql(item, scope);
  }
}

/** `json` cannot be compared, `jsonb` can. */
const groupedSql = (isGroup: boolean, sql: string): string => (isGroup ? `CAST(${sql} AS jsonb)` : sql);

function recordsSql(embed: PlannedEmbed, scope: Scope): string {
  if (embed.isCrossService) return fetchedRecordSql([embed], scope);
  return embed.relation.isToOne ? oneSql(embed, scope) : manySql(embed, scope);
}

/**
 * A value as callers see it. A kind such as a time of day has its own form. A cast to the column's own type keeps this form, and a
 * cast to text starts from it. Any other cast starts from the value itself.
 */
function shownSql({ column, path, type }: PlannedField, cast: string | null, sql: string): string {
  const { shown } = column.kind;
  if (shown === undefined || path.length > 0) return castSql(sql, cast);
  if (cast === null || cast === type.sqlType) return shown(sql);
  return castSql(isTextual(cast) ? shown(sql) : sql, cast);
}

function aggregateSql(
  { field, through, cast, resultCast, ...aggregate }: PlannedAggregate,
  scope: Scope,
): string {
  if (field === null) return castSql(`${aggregate.function}(*)`, resultCast);
  const column = relatedSql(through, field, scope);
  const isOwnType = cast === null || cast === field.type.sqlType;
  const value = isOwnType ? castSql(column, cast) : shownSql(field, cast, column);
  const sql =
    aggregate.function === 'countdistinct' ? `count(DISTINCT ${value})` : `${aggregate.function}(${value})`;
  // The minimum and the maximum of a column are values of that column.
  const isValue = aggregate.function === 'min' || aggregate.function === 'max';
  return isValue && isOwnType ? shownSql(field, resultCast, sql) : castSql(sql, resultCast);
}

/** A member of a record that was fetched from another service, or of a record behind it. */
function fetchedItemSql(through: readonly PlannedEmbed[], item: PlannedItem, scope: Scope): string {
  switch (item.kind) {
    case 'value':
      return shownSql(item.field, item.cast, relatedSql(through, item.field, scope));
    case 'spread':
      return fetchedItemSql([...through, item.embed], item.item, scope);
    case 'embed':
      return groupedSql(item.isGroup, fetchedRecordSql([...through, item.embed], scope));
    case 'aggregate':
      throw new Error(`${item.key} is an aggregate of another service`);
  }
}

/** A record made of fetched members; null if there is no record. */
function fetchedRecordSql(through: readonly PlannedEmbed[], scope: Scope): string {
  const items = through.at(-1)?.node.select.items ?? [];
  const members = items.map((item) => `${fetchedItemSql(through, item, scope)} AS ${quoted(item.key)}`);
  return `(SELECT row_to_json(s.*) FROM (SELECT ${members.join(', ')}) AS s WHERE ${isThereSql(through, scope)})`;
}

const castSql = (sql: string, type: string | null): string =>
  type === null ? sql : `CAST(${sql} AS ${type})`;

function oneSql(embed: PlannedEmbed, scope: Scope): string {
  const inner = innerScope(scope);
  const list = listSql(embed.node.select, inner);
  const group = groupSql(embed.node, inner);
  return `(SELECT ${rowJsonSql(embed.node.select)} FROM (SELECT ${list} ${fromSql(embed, scope, inner)}${group}${oneOrNoneSql(embed.node)}) AS r)`;
}

function manySql(embed: PlannedEmbed, scope: Scope): string {
  const { select } = embed.node;
  const inner = innerScope(scope);
  const rows = `SELECT ${listSql(select, inner)} ${fromSql(embed, scope, inner)}${groupSql(embed.node, inner)}${pageSql(embed.node, inner)}`;
  return `(SELECT ('[' || coalesce(string_agg(${rowTextSql(select)}, ','), '') || ']')::json FROM (${rows}) AS r)`;
}

/** A member of one related record; for a to-many relation an array of the members. */
function spreadSql({ embed, item, isGroup }: Extract<PlannedItem, { kind: 'spread' }>, scope: Scope): string {
  if (embed.isCrossService) return fetchedItemSql([embed], item, scope);
  const inner = innerScope(scope);
  const rows = `SELECT ${itemSql(item, inner)} AS spread ${fromSql(embed, scope, inner)}`;
  if (embed.relation.isToOne) return `(${rows}${oneOrNoneSql(embed.node)})`;
  const all = `(SELECT coalesce(json_agg(r.spread), '[]') FROM (${rows}${pageSql(embed.node, inner)}) AS r)`;
  return groupedSql(isGroup, all);
}

/** ORDER BY, LIMIT and OFFSET of a node, with a space before them. */
export function pageSql({ order, limit, offset }: ReadNode, scope: Scope): string {
  const ordered = orderSql(order, scope);
  return `${ordered} LIMIT ${bind(scope, String(limit))} OFFSET ${bind(scope, String(offset))}`;
}
