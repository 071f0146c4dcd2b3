// The rows of a body, reduced to columns that exist. Values stay as JSON had them: the resource checks them.

import type { Resource } from '@practice/resource';
import type { BodyRow } from '../parse/body.js';
import type { ParsedRequest } from '../parse/request.js';
import { checkWritten } from './columns.js';

/**
 * The records that a POST brings.
 * With `columns`, a listed key that a row lacks is null, or (`missing=default`) left out to take its default.
 * @throws {Rejection} PGRST204
 */
export function planRecords(
  resource: Resource,
  { rows, options, preferences }: ParsedRequest,
): readonly BodyRow[] {
  const { columns } = options;
  const [first] = rows;
  if (columns === null) {
    if (first !== undefined) checkAll(resource, Object.keys(first));
    return rows;
  }
  checkAll(resource, columns);
  const takesDefault = preferences.missing === 'default';
  return rows.map((row) => chosen(row, columns, takesDefault ? undefined : () => null));
}

/**
 * What of each record one takes that is there already: with `missing=default`, the default too, where the record lacks a
 * listed key. What only the server sets, or works out from other columns, stays as it is.
 */
export function planMerges(
  { columns }: Resource,
  { options, preferences }: ParsedRequest,
  records: readonly BodyRow[],
): readonly BodyRow[] {
  if (options.columns === null || preferences.missing !== 'default') return records;
  const defaults = options.columns.flatMap((name): [string, unknown][] => {
    const column = columns[name];
    if (column === undefined || column.readOnly === true) return [];
    return column.default !== undefined || column.nullable ? [[name, column.default ?? null]] : [];
  });
  return records.map((record) => ({ ...Object.fromEntries(defaults), ...record }));
}

/**
 * The changes that a PATCH brings: those of the first row, since all rows hit get the same.
 * With `columns`, a listed key that the row lacks is null, or (`missing=default`) the column's default.
 * @throws {Rejection} PGRST204
 */
export function planChanges(resource: Resource, { rows, options, preferences }: ParsedRequest): BodyRow {
  const [row = {}] = rows;
  const { columns } = options;
  checkAll(resource, columns ?? Object.keys(row));
  // `{}` changes nothing, also where `columns` lists some.
  if (columns === null || Object.keys(row).length === 0) return row;
  const takesDefault = preferences.missing === 'default';
  return chosen(row, columns, (name) => (takesDefault ? (resource.columns[name]?.default ?? null) : null));
}

type Missing = (name: string) => unknown;

function chosen(row: BodyRow, columns: readonly string[], missing: Missing | undefined): BodyRow {
  const members: [string, unknown][] = [];
  for (const name of columns) {
    if (Object.hasOwn(row, name)) members.push([name, row[name]]);
    else if (missing !== undefined) members.push([name, missing(name)]);
  }
  return Object.fromEntries(members);
}

function checkAll(resource: Resource, names: readonly string[]): void {
  for (const name of names) checkWritten(resource, name);
}
