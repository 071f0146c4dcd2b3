// Rows become JSON objects, in brackets or without, or lines of CSV.

import type { Media } from '../parse/media.js';
import type { PlannedItem, PlannedSelect } from '../plan/read-plan.js';
import { formatOf } from '../plan/pieces.js';
import { hasRemote } from '../plan/select.js';
import { type Shape, subplanShape } from './piece-columns.js';
import { listSql, membersSql, rowJsonSql, rowTextSql } from './select.js';
import { bind, type Scope } from './scope.js';

/**
 * The shape of a response: a JSON array, the text between its brackets if the caller asks for one object, or CSV. The rows are in
 * pieces if other statements return some of the members.
 */
export function shapeOf(select: PlannedSelect, media: Media, scope: Scope): Shape {
  if (scope.semiJoinKeys !== null && hasRemote(select)) return subplanShape(select, formatOf(media), scope);
  if (media.shape === 'csv') return csvShape(select.items, scope);
  const rows = `coalesce(string_agg(${rowText(select, media)}, ','), '')`;
  return { list: listSql(select, scope), body: media.shape === 'object' ? rows : `'[' || ${rows} || ']'` };
}

const rowText = (select: PlannedSelect, { stripped }: Media): string =>
  stripped ? `json_strip_nulls(${rowJsonSql(select)})::text` : rowTextSql(select);

/** Postgres writes a row as text in parentheses, with the quoting of CSV. Without rows there is no header. */
function csvShape(items: readonly PlannedItem[], scope: Scope): Shape {
  const header = bind(scope, csvHeader(items.map(({ key }) => key)));
  const rows = `string_agg(substr((r.*)::text, 2, length((r.*)::text) - 2), E'\\n')`;
  return { list: membersSql(items, scope), body: `coalesce(${header} || E'\\n' || ${rows}, E'\\n')` };
}

// Lines of CSV, quoted as Postgres quotes the fields of a row.

/** The header line. Names are quoted if CSV requires it. */
export const csvHeader = (names: readonly string[]): string =>
  names.map((name) => (/[",\s]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(',');

/** A text as a field; an empty field is null. */
export const csvField = (text: string): string =>
  text === '' || /["\\(),\s]/.test(text) ? `"${text.replace(/["\\]/g, '$&$&')}"` : text;
