// A parsed request in a message between processes, as plain JSON. The rows of a body travel separately. Any change here needs a new
// version of the frame in libs/bus.

import { jsonIn, textOf, type Steps } from '@practice/core';
import type { ParsedRequest } from '../parse/request.js';
import { split, type Given } from '../plan/read-shape.js';
import type { Subquery, SubqueryResult } from '../plan/subplan.js';
import type { BodyRow } from '../parse/body.js';

/** The message of a read: its shape on one line, the rest on the next. */
export function readToWire(request: ParsedRequest): string {
  const { shape, given } = split(request);
  return `${JSON.stringify(shape)}\n${JSON.stringify(given)}`;
}

/** The shape of a message of `readToWire`, as text, and the rest. */
export function readFromWire(body: string): { readonly shape: string; readonly given: Given } {
  const [shape = '', given = ''] = body.split('\n');
  return { shape, given: JSON.parse(given) as Given };
}

/** A subquery, and the result that it must return. */
export interface WireQuestion {
  readonly subquery: Subquery;
  readonly result: SubqueryResult;
}

// The rows of a body in a message. Rows with the same keys are sent as a table, since a CSV file with long column names would
// otherwise grow a thousandfold. Numbers keep their digits, because `parseBody` leaves them exact or as text.

type WireRows =
  | readonly BodyRow[]
  | { readonly keys: readonly string[]; readonly table: readonly unknown[][] };

export function* rowsToWire(rows: readonly BodyRow[]): Steps<string> {
  const [first] = rows;
  if (first === undefined) return '';
  const keys = Object.keys(first);
  const isTable = rows.length > 1 && rows.every((row) => haveSameKeys(row, keys));
  const written: string[] = [];
  for (const row of rows) {
    written.push(isTable ? `[${keys.map((key) => textOf(row[key])).join(',')}]` : rowToWire(row));
    yield;
  }
  const all = `[${written.join(',')}]`;
  return isTable ? `{"keys":${JSON.stringify(keys)},"table":${all}}` : all;
}

export const rowToWire = (row: BodyRow): string =>
  `{${Object.keys(row)
    .map((key) => `${JSON.stringify(key)}:${textOf(row[key])}`)
    .join(',')}}`;

export function* rowsFromWire(text: string): Steps<readonly BodyRow[]> {
  if (text === '') return [];
  const json = (yield* jsonIn(text, { depth: Infinity })) as WireRows;
  if (!('table' in json)) return json;
  const rows: BodyRow[] = [];
  for (const values of json.table) {
    rows.push(Object.fromEntries(json.keys.map((key, index) => [key, values[index]])));
    yield;
  }
  return rows;
}

function haveSameKeys(row: BodyRow, keys: readonly string[]): boolean {
  const own = Object.keys(row);
  return own.length === keys.length && keys.every((key, index) => own[index] === key);
}
