// What rows become. A whole record was written as JSON beside its columns when it was stored; anything else Postgres builds.

import type { Media } from '../parse/media.js';
import type { PlannedItem, PlannedSelect } from '../plan/select.js';
import { columnSql, fieldSql } from './field.js';
import { bind, quoted } from './statement.js';
import type { Scope } from './statement.js';

/** How rows are selected and what makes a body of them. */
export interface Shape {
  /** The select list of the inner query, whose rows are called `r`. */
  readonly list: string;
  /** The body, as an aggregate over the rows `r`. */
  readonly body: string;
}

/** The shape of an answer: a JSON array, what is between its brackets where one object is wanted, or CSV. */
export function shapeOf(select: PlannedSelect, media: Media, scope: Scope): Shape {
  if (media.shape === 'csv') return csvShape(select.items, scope);
  const { list, json } = select.isWhole ? wholeRow(media, scope) : builtRow(select.items, media, scope);
  const rows = `coalesce(string_agg(${json}, ','), '')`;
  return { list, body: media.shape === 'object' ? rows : `'[' || ${rows} || ']'` };
}

interface JsonRow {
  readonly list: string;
  /** The JSON text of one row `r`. */
  readonly json: string;
}

const wholeRow = ({ stripped }: Media, { table }: Scope): JsonRow => ({
  list: `${table}._json`,
  json: stripped ? 'json_strip_nulls(r._json::json)::text' : 'r._json',
});

/** `r.*` rather than `r`: a caller may call one of its members `r`. */
const builtRow = (items: readonly PlannedItem[], { stripped }: Media, scope: Scope): JsonRow => ({
  list: listSql(items, scope),
  json: stripped ? 'json_strip_nulls(row_to_json(r.*))::text' : 'row_to_json(r.*)::text',
});

/** Postgres' text of a row has CSV's quoting, and parentheses round it. Without rows there is no header either. */
function csvShape(items: readonly PlannedItem[], scope: Scope): Shape {
  const header = bind(scope, items.map(({ key }) => csvField(key)).join(','));
  const rows = `string_agg(substr((r.*)::text, 2, length((r.*)::text) - 2), E'\\n')`;
  return { list: listSql(items, scope), body: `coalesce(${header} || E'\\n' || ${rows}, E'\\n')` };
}

const csvField = (text: string): string => (/[",\s]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const listSql = (items: readonly PlannedItem[], scope: Scope): string =>
  items.map((item) => `${itemSql(item, scope)} AS ${quoted(item.key)}`).join(', ');

function itemSql({ field, cast }: PlannedItem, scope: Scope): string {
  const shown = field.path.length === 0 ? field.column.kind.shown : undefined;
  if (cast === null || cast === 'text') {
    const sql = shown === undefined ? fieldSql(field, scope) : shown(columnSql(field.column.name, scope));
    return cast === null ? sql : `CAST(${sql} AS text)`;
  }
  return `CAST(${fieldSql(field, scope)} AS ${cast})`;
}
