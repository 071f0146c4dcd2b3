// The rows of a body, reduced to columns that exist. Values stay as in the JSON: the resource checks them.

import type { PracticeRole } from '@practice/core';
import type { Resource } from '@practice/resource';
import type { BodyRow } from '../parse/body.js';
import type { ParsedRequest } from '../parse/request.js';
import { checkWritten } from './columns.js';

/**
 * The records of a POST or PUT.
 * With `columns`, a listed key that a row lacks is null, or (`missing=default`) left out to take its default.
 * @throws {Rejection} PGRST204, 42501
 */
export function planRecords(
  resource: Resource,
  { rows, options, preferences }: ParsedRequest,
  role: PracticeRole,
): readonly BodyRow[] {
  const { columns } = options;
  const [first] = rows;
  checkAll(resource, role, columns ?? Object.keys(first ?? {}));
  const takesDefault = preferences.missing === 'default';
  const records =
    columns === null ? rows : rows.map((row) => chosen(row, columns, takesDefault ? undefined : () => null));
  return inZone(resource, records, preferences.timezone);
}

/**
 * The values that an existing record takes from each record. With `missing=default`, a listed key that the record lacks becomes the default.
 * Columns that only the server sets, or computes from other columns, stay as they are.
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
 * The changes of a PATCH: the first row, since all matching records get the same.
 * With `columns`, a listed key that the row lacks is null, or (`missing=default`) the column's default.
 * @throws {Rejection} PGRST204, 42501
 */
export function planChanges(
  resource: Resource,
  { rows, options, preferences }: ParsedRequest,
  role: PracticeRole,
): BodyRow {
  const [row] = rows;
  const { columns } = options;
  checkAll(resource, role, columns ?? Object.keys(row ?? {}));
  if (row === undefined) return {};
  const takesDefault = preferences.missing === 'default';
  const changes =
    columns === null
      ? row
      : chosen(row, columns, (name) => (takesDefault ? (resource.columns[name]?.default ?? null) : null));
  return inZone(resource, [changes], preferences.timezone)[0] ?? changes;
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

/** Timestamps without an offset are local times of the preferred zone. */
function inZone(
  { columns }: Resource,
  records: readonly BodyRow[],
  timezone: string | null,
): readonly BodyRow[] {
  if (timezone === null) return records;
  const zoned = ([name, value]: [string, unknown]): [string, unknown] => [
    name,
    columns[name]?.kind.inZone?.(value, timezone) ?? value,
  ];
  return records.map((record) => Object.fromEntries(Object.entries(record).map(zoned)));
}

function checkAll(resource: Resource, role: PracticeRole, names: readonly string[]): void {
  for (const name of names) checkWritten(resource, role, name);
}
