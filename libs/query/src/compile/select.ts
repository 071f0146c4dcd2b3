// The columns of a statement. An embedded level is one of them: a subquery that makes JSON of its own rows.

import type {
  PlannedAggregate,
  PlannedEmbed,
  PlannedItem,
  PlannedLevel,
  PlannedSelect,
} from '../plan/planned.js';
import { fieldSql } from './field.js';
import { orderSql } from './order.js';
import { fromSql, isThereSql, relatedSql } from './related.js';
import { bind, innerScope, quoted } from './statement.js';
import type { Scope } from './statement.js';

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
    case 'lifted':
      return liftedSql(item, scope);
  }
}

/** Of JSON, only `jsonb` can be compared. */
const groupedSql = (isGroup: boolean, sql: string): string => (isGroup ? `CAST(${sql} AS jsonb)` : sql);

function recordsSql(embed: PlannedEmbed, scope: Scope): string {
  if (embed.isForeign) return toldRecordSql([embed], scope);
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

/** A member of a record of another service, as that service told it; behind it there may be more that were told. */
function toldItemSql(through: readonly PlannedEmbed[], item: PlannedItem, scope: Scope): string {
  switch (item.kind) {
    case 'value':
      return valueSql(item, relatedSql(through, item.field, scope));
    case 'lifted':
      return toldItemSql([...through, item.embed], item.item, scope);
    case 'embed':
      return groupedSql(item.isGroup, toldRecordSql([...through, item.embed], scope));
    case 'aggregate':
      throw new Error(`${item.key} is counted by nobody`);
  }
}

/** A record made of members that were told; null where there is none. */
function toldRecordSql(through: readonly PlannedEmbed[], scope: Scope): string {
  const items = through.at(-1)?.level.select.items ?? [];
  const members = items.map((item) => `${toldItemSql(through, item, scope)} AS ${quoted(item.key)}`);
  return `(SELECT row_to_json(s.*) FROM (SELECT ${members.join(', ')}) AS s WHERE ${isThereSql(through, scope)})`;
}

const castSql = (sql: string, type: string | null): string =>
  type === null ? sql : `CAST(${sql} AS ${type})`;

function oneSql(embed: PlannedEmbed, scope: Scope): string {
  const inner = innerScope(scope);
  const list = listSql(embed.level.select, inner);
  const group = groupSql(embed.level.select);
  return `(SELECT ${rowJsonSql(embed.level.select)} FROM (SELECT ${list} ${fromSql(embed, scope, inner)}${group}${oneOrNoneSql(embed.level)}) AS r)`;
}

function manySql(embed: PlannedEmbed, scope: Scope): string {
  const { select } = embed.level;
  const inner = innerScope(scope);
  const rows = `SELECT ${listSql(select, inner)} ${fromSql(embed, scope, inner)}${groupSql(select)}${pageSql(embed.level, inner)}`;
  const json = select.isWhole ? 'r._json' : 'row_to_json(r.*)::text';
  return `(SELECT ('[' || coalesce(string_agg(${json}, ','), '') || ']')::json FROM (${rows}) AS r)`;
}

/** A member of one related record; of many, an array of theirs. */
function liftedSql({ embed, item, isGroup }: Extract<PlannedItem, { kind: 'lifted' }>, scope: Scope): string {
  if (embed.isForeign) return toldItemSql([embed], item, scope);
  const inner = innerScope(scope);
  const rows = `SELECT ${itemSql(item, inner)} AS lifted ${fromSql(embed, scope, inner)}`;
  if (embed.relation.isToOne) return `(${rows}${oneOrNoneSql(embed.level)})`;
  const all = `(SELECT coalesce(json_agg(r.lifted), '[]') FROM (${rows}${pageSql(embed.level, inner)}) AS r)`;
  return groupedSql(isGroup, all);
}

/** A page of one record holds it, unless it begins behind it or has no room. */
export const oneOrNoneSql = ({ limit, offset }: PlannedLevel): string =>
  offset > 0 || limit === 0 ? ' LIMIT 0' : '';

/** The order of a level and the rows that are asked of it. */
export function pageSql({ order, limit, offset }: PlannedLevel, scope: Scope): string {
  const ordered = orderSql(order, scope);
  return `${ordered} LIMIT ${bind(scope, String(limit))} OFFSET ${bind(scope, String(offset))}`;
}
