// CSV (RFC 4180), the header line first. A quoted field may contain commas, line breaks and doubled quotes.

import { reject, STEP, type KeepsKey, type Steps } from '@practice/core';
import { limits } from '../limits.js';
import { invalidBody } from '../problems.js';

/**
 * The rows of a CSV text. `NULL` is null; every other field is text, which the column's kind parses.
 * @throws {Rejection} PGRST102
 */
export function* csvRows(text: string, keepsKey: KeepsKey): Steps<object[]> {
  // The header, and one row more than may be written.
  const most = limits.writtenRows + 2;
  const [header, ...records] = (yield* csvRecords(text, most)) ?? reject(invalidBody('Empty or invalid csv'));
  if (header === undefined) return reject(invalidBody('Empty or invalid csv'));
  // The last of several fields with one name applies.
  const places = new Map<string, number>();
  for (const [index, name] of header.entries()) {
    if (places.has(name) || keepsKey(name, places.size)) places.set(name, index);
    if (index % STEP === 0) yield;
  }
  const names = [...places];
  const rows: object[] = [];
  for (const fields of records) {
    if (fields.length !== header.length) reject(invalidBody('All lines must have same number of fields'));
    rows.push(
      Object.fromEntries(names.map(([name, at]) => [name, fields[at] === 'NULL' ? null : fields[at]])),
    );
    yield;
  }
  return rows;
}

/**
 * The records of a CSV text. As in PostgREST, blank lines are no records, except for the first line.
 * @param most no records after these are read
 * @returns null if a quoted field does not end
 */
export function* csvRecords(text: string, most = Infinity): Steps<string[][] | null> {
  const records: string[][] = [];
  let fields: string[] = [];
  let at = 0;
  while (at < text.length && records.length < most) {
    const field = fieldAt(text, at);
    if (field === null) return null;
    fields.push(field.value);
    if (fields.length % STEP === 0) yield;
    at = field.end;
    if (text[at] === ',') {
      at += 1;
      if (at < text.length) continue;
      fields.push('');
    } else {
      BREAKS.lastIndex = at;
      at += BREAKS.exec(text)?.[0].length ?? 0;
    }
    records.push(fields);
    yield;
    fields = [];
  }
  return records;
}

/** A quoted field with a comma, a line break or the end of the text after it. */
const QUOTED = /"([^"]*(?:""[^"]*)*)"(?=[,\r\n]|$)/y;
const BREAK = /[,\r\n]|$/g;
/** The end of a line, and the blank lines after it. */
const BREAKS = /[\r\n]*/y;

/** A field, and the index of the comma, the line break or the end of the text after it. */
function fieldAt(text: string, at: number) {
  if (text[at] !== '"') {
    BREAK.lastIndex = at;
    const end = BREAK.exec(text)?.index ?? text.length;
    return { value: text.slice(at, end), end };
  }
  QUOTED.lastIndex = at;
  const value = QUOTED.exec(text)?.[1];
  if (value === undefined) return null;
  // Several times as fast as `replaceAll`.
  return { value: value.split('""').join('"'), end: QUOTED.lastIndex };
}
