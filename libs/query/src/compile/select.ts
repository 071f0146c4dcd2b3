// The JSON of a row. A whole record was written beside its columns when it was stored; anything else Postgres builds.

import type { Media } from '../parse/media.js';
import type { PlannedItem, PlannedSelect } from '../plan/select.js';
import { columnSql, fieldSql } from './field.js';
import { quoted } from './statement.js';

/** What the rows of a statement are, and what makes JSON text of them. */
export interface Shape {
  /** The select list of the inner query, whose rows are called `r`. */
  readonly list: string;
  /** The JSON text of one row `r`. */
  readonly json: string;
}

export function shapeOf(select: PlannedSelect, { stripped }: Media, values: string[]): Shape {
  if (select === 'whole') {
    return { list: 't._json', json: stripped ? 'json_strip_nulls(r._json::json)::text' : 'r._json' };
  }
  const list = select.map((item) => `${itemSql(item, values)} AS ${quoted(item.key)}`).join(', ');
  return { list, json: stripped ? 'json_strip_nulls(row_to_json(r.*))::text' : 'row_to_json(r.*)::text' };
}

/** The rows' JSON as the body: an array, or what is between the brackets where one object is wanted. */
export function bodySql(json: string, { shape }: Media): string {
  const rows = `coalesce(string_agg(${json}, ','), '')`;
  return shape === 'object' ? rows : `'[' || ${rows} || ']'`;
}

function itemSql({ field, cast }: PlannedItem, values: string[]): string {
  const shown = field.path.length === 0 ? field.column.kind.shown : undefined;
  if (cast === null || cast === 'text') {
    const sql = shown === undefined ? fieldSql(field, values) : shown(columnSql(field.column.name));
    return cast === null ? sql : `CAST(${sql} AS text)`;
  }
  return `CAST(${fieldSql(field, values)} AS ${cast})`;
}
