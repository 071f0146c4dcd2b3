// The columns of a statement. An embedded node is one of them: a subquery that makes JSON of its own rows.

import type {
  PlannedAggregate,
  PlannedEmbed,
  PlannedItem,
  ReadNode,
  PlannedSelect,
} from '../plan/read-plan.js';
import { fieldSql } from './field.js';
import { orderSql } from './order.js';
import { fromSql, isThereSql, relatedSql } from './related.js';
import { bind, innerScope, quoted } from './scope.js';
import type { Scope } from './scope.js';

/** The select list; a whole record was written as JSON beside its columns when it was stored. */
export const listSql = ({ isWhole, items }: PlannedSelect, scope: Scope): string =>
  isWhole ? `${scope.table}._json` : membersSql(items, scope);

/** As `listSql`, a column for each member even of a whole record. */
export const membersSql = (items: readonly PlannedItem[], scope: Scope): string =>
  items.map((item) => `${itemSql(item, scope)} AS ${quoted(item.key)}`).join(', ');

/** The JSON of one row `r` of a select list. `r.*` rather than `r`: a caller may call one of its members `r`. */
export const rowJsonSql = ({ isWhole }: PlannedSelect): string =>
  isWhole ? 'r._json::json' : 'row_to_json(r.*)';

/** The GROUP BY clause, with a space before it; nothing where nothing is grouped. */
export function groupSql({ isGrouped, items }: PlannedSelect): string {
  if (!isGrouped) return '';
  const positions = items.flatMap(({ kind }, index) => (kind === 'aggregate' ? [] : [index + 1]));
  return positions.length > 0 ? ` GROUP BY ${positions.join(', ')}` : '';
}

/** One member as a column. */
export function itemSql(item: PlannedItem, scope: Scope): string {
  switch (item.kind) {
    case 'value':
      return valueSql(item, fieldSql(item.field, scope));
    case 'aggregate':
      return aggregateSql(item, scope);
    case 'embed':
      return groupedSql(item.isGroup, recordsSql(item.embed, scope));
    case 'spread':
      return spreadSql(item, scope);
  }
}

/** Of JSON, only `jsonb` can be compared. */
const groupedSql = (isGroup: boolean, sql: string): string => (isGroup ? `CAST(${sql} AS jsonb)` : sql);

function recordsSql(embed: PlannedEmbed, scope: Scope): string {
  if (embed.isCrossService) return fetchedRecordSql([embed], scope);
  return embed.relation.isToOne ? oneSql(embed, scope) : manySql(embed, scope);
}

type PlannedValue = Extract<PlannedItem, { kind: 'value' }>;

/** A column as callers see it; in a cast to text too, but a cast to another type is one of the value itself. */
function valueSql({ field, cast }: PlannedValue, sql: string): string {
  const { shown } = field.column.kind;
  const isShown = shown !== undefined && field.path.length === 0 && (cast === null || cast === 'text');
  return castSql(isShown ? shown(sql) : sql, cast);
}

function aggregateSql(
  { field, through, cast, resultCast, ...aggregate }: PlannedAggregate,
  scope: Scope,
): string {
  const value = field === null ? '*' : castSql(relatedSql(through, field, scope), cast);
  const sql = `${aggregate.function}(${value})`;
  // The least and the greatest of a column are values of it, and shown as such.
  const isValue = (aggregate.function === 'min' || aggregate.function === 'max') && cast === null;
  const shown = isValue && field?.path.length === 0 ? field.column.kind.shown : undefined;
  return castSql(shown === undefined ? sql : shown(sql), resultCast);
}

/** A member of a record of another service, as that service fetched it; behind it there may be more that were fetched. */
function fetchedItemSql(through: readonly PlannedEmbed[], item: PlannedItem, scope: Scope): string {
  switch (item.kind) {
    case 'value':
      return valueSql(item, relatedSql(through, item.field, scope));
    case 'spread':
      return fetchedItemSql([...through, item.embed], item.item, scope);
    case 'embed':
      return groupedSql(item.isGroup, fetchedRecordSql([...through, item.embed], scope));
    case 'aggregate':
      throw new Error(`${item.key} is counted by nobody`);
  }
}

/** A record made of members that were fetched; null where there is none. */
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
  const group = groupSql(embed.node.select);
  return `(SELECT ${rowJsonSql(embed.node.select)} FROM (SELECT ${list} ${fromSql(embed, scope, inner)}${group}${oneOrNoneSql(embed.node)}) AS r)`;
}

function manySql(embed: PlannedEmbed, scope: Scope): string {
  const { select } = embed.node;
  const inner = innerScope(scope);
  const rows = `SELECT ${listSql(select, inner)} ${fromSql(embed, scope, inner)}${groupSql(select)}${pageSql(embed.node, inner)}`;
  const json = select.isWhole ? 'r._json' : 'row_to_json(r.*)::text';
  return `(SELECT ('[' || coalesce(string_agg(${json}, ','), '') || ']')::json FROM (${rows}) AS r)`;
}

/** A member of one related record; of many, an array of theirs. */
function spreadSql({ embed, item, isGroup }: Extract<PlannedItem, { kind: 'spread' }>, scope: Scope): string {
  if (embed.isCrossService) return fetchedItemSql([embed], item, scope);
  const inner = innerScope(scope);
  const rows = `SELECT ${itemSql(item, inner)} AS spread ${fromSql(embed, scope, inner)}`;
  if (embed.relation.isToOne) return `(${rows}${oneOrNoneSql(embed.node)})`;
  const all = `(SELECT coalesce(json_agg(r.spread), '[]') FROM (${rows}${pageSql(embed.node, inner)}) AS r)`;
  return groupedSql(isGroup, all);
}

/** A page of one record holds it, unless it begins behind it or has no room. */
export const oneOrNoneSql = ({ limit, offset }: ReadNode): string =>
  offset > 0 || limit === 0 ? ' LIMIT 0' : '';

/** The order of a node and the rows that are asked of it. */
export function pageSql({ order, limit, offset }: ReadNode, scope: Scope): string {
  const ordered = orderSql(order, scope);
  return `${ordered} LIMIT ${bind(scope, String(limit))} OFFSET ${bind(scope, String(offset))}`;
}
