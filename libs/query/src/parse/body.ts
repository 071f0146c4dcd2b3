// A body as rows. The resource, not the dialect, defines which values are valid.

import { jsonIn, problemFor, reject, Rejection, setOwn } from '@practice/core';
import type { KeepsKey, Steps } from '@practice/core';
import { limits } from '../limits.js';
import { invalidBody, tooManyRows } from '../problems.js';
import { csvRows } from './csv.js';

export type BodyRow = Readonly<Record<string, unknown>>;

export interface Body {
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
  /** The names in `columns`. Without them, all rows must have the same keys. */
  readonly columns: readonly string[] | null;
}

const formats: ReadonlyMap<string, (text: string, keepsKey: KeepsKey) => Steps<unknown>> = new Map([
  ['application/json', json],
  ['text/csv', csvRows],
  ['application/x-www-form-urlencoded', formRow],
]);

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The rows of a body: one for a JSON object, one for each object in an array, and none for any other JSON.
 * @throws {Rejection} PGRST102, 22003, 22023 for an array with other elements than objects, PM413 for too many rows
 */
export function* parseBody({ bytes, contentType, columns }: Body): Steps<readonly BodyRow[]> {
  const type = mediaType(contentType);
  const parse = formats.get(type);
  if (parse === undefined) return reject(invalidBody(`Content-Type not acceptable: ${type.slice(0, 100)}`));
  return rowsIn(yield* parse(textIn(bytes) ?? reject(invalidBody()), keptKeys(columns)), columns);
}

/** @throws {Rejection} PGRST102, 22023, PM413 */
export function rowsIn(content: unknown, columns: Body['columns']): readonly BodyRow[] {
  if (Array.isArray(content)) return checkedRows(content, columns !== null);
  return isRow(content) ? [content] : [];
}

/** The first keys of a row, and all that `columns` names, also as columns of relations. */
function keptKeys(columns: readonly string[] | null): KeepsKey {
  const named = new Set(columns?.join().match(/\w+/g));
  return (key, count) => count < limits.rowKeys || named.has(key);
}

/** The media type of a body without its parameters; JSON if the header is missing. */
export const mediaType = (contentType = ''): string => {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return type === '' ? JSON_TYPE : type;
};

const JSON_TYPE = 'application/json';

export const isJsonType = (contentType: string | undefined): boolean => mediaType(contentType) === JSON_TYPE;

/** The text of a body, without a byte order mark; undefined if it is not UTF-8. */
export function textIn(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function* json(text: string, key: KeepsKey): Steps<unknown> {
  try {
    return yield* jsonIn(text, { depth: limits.bodyDepth, elements: limits.writtenRows + 1, key });
  } catch (error) {
    throw error instanceof SyntaxError ? new Rejection(invalidBody()) : error;
  }
}

function checkedRows(array: readonly unknown[], isChosen: boolean): readonly BodyRow[] {
  if (array.length > limits.writtenRows) reject(tooManyRows(limits.writtenRows));
  if (!array.every(isRow)) {
    return reject(isChosen ? notObjects : keysDiffer);
  }
  if (!isChosen && !haveSameKeys(array)) reject(keysDiffer);
  return array;
}

function haveSameKeys([first, ...others]: readonly BodyRow[]): boolean {
  if (first === undefined) return true;
  const count = Object.keys(first).length;
  return others.every((row) => {
    const keys = Object.keys(row);
    return keys.length === count && keys.every((key) => Object.hasOwn(first, key));
  });
}

export const isRow = (json: unknown): json is BodyRow =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

const keysDiffer = {
  ...invalidBody('All object keys must match'),
  hint: 'Give every object the same keys, or list the keys with the columns parameter; Prefer: missing=default then gives missing keys the default of their column.',
};

const notObjects = problemFor('22023', {
  message: 'argument of json_to_recordset must be an array of objects',
});

/** The characters of one step. */
const PIECE = 8_192;

/** The members of a form. The last of several values for one name applies. */
export function* formRow(text: string, keepsKey: KeepsKey): Steps<object> {
  const row = {};
  let count = 0;
  let at = 0;
  while (at < text.length) {
    const next = text.indexOf('&', at + PIECE);
    const end = next < 0 ? text.length : next;
    // A plus takes `URLSearchParams` several times as long as a space.
    const piece = text.slice(at, end).split('+').join(' ');
    for (const [name, value] of new URLSearchParams(piece)) {
      const isNew = !Object.hasOwn(row, name);
      if (isNew && !keepsKey(name, count)) continue;
      if (isNew) count += 1;
      setOwn(row, name, value);
    }
    at = end;
    yield;
  }
  return row;
}
