// The rows of a body in a message. Rows with the same keys are sent as a table, since a CSV file with long column names would
// otherwise grow a thousandfold. Numbers keep their digits, because `parseBody` leaves them exact or as text.

import type { BodyRow } from '../parse/body.js';

type WireRows =
  | readonly BodyRow[]
  | { readonly keys: readonly string[]; readonly table: readonly unknown[][] };

export function rowsToWire(rows: readonly BodyRow[]): string {
  const [first] = rows;
  if (first === undefined) return '';
  const keys = Object.keys(first);
  const isTable = rows.length > 1 && rows.every((row) => haveSameKeys(row, keys));
  return JSON.stringify(isTable ? { keys, table: rows.map((row) => keys.map((key) => row[key])) } : rows);
}

export function rowsFromWire(text: string): readonly BodyRow[] {
  if (text === '') return [];
  const rows = JSON.parse(text) as WireRows;
  if (!('table' in rows)) return rows;
  return rows.table.map((values) => Object.fromEntries(rows.keys.map((key, index) => [key, values[index]])));
}

function haveSameKeys(row: BodyRow, keys: readonly string[]): boolean {
  const own = Object.keys(row);
  return own.length === keys.length && keys.every((key, index) => own[index] === key);
}
