// A body as rows. The resource, not the dialect, defines which values are valid.

import { problemFor, reject } from '@practice/core';
import { isDeeperThan } from '@practice/resource';
import { limits } from '../limits.js';
import { invalidBody, tooManyRows } from '../problems.js';
import { csvRecords } from './csv.js';
import { withExactNumbers } from './json.js';

export type BodyRow = Readonly<Record<string, unknown>>;

export interface Body {
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
  /** Whether `columns` names the keys. If it does not, all rows must have the same keys. */
  readonly isChosen: boolean;
}

const formats: ReadonlyMap<string, (text: string) => unknown> = new Map([
  ['application/json', parseJson],
  ['text/csv', parseCsv],
  ['application/x-www-form-urlencoded', (text) => Object.fromEntries(new URLSearchParams(text))],
]);

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The rows of a body: one for a JSON object, one for each object in an array, and none for any other JSON.
 * @throws {Rejection} PGRST102, 22003, 22023 for an array with other elements than objects, PM413 for too many rows
 */
export function parseBody({ bytes, contentType, isChosen }: Body): readonly BodyRow[] {
  const type = mediaType(contentType);
  const parse = formats.get(type);
  if (parse === undefined) return reject(invalidBody(`Content-Type not acceptable: ${type.slice(0, 100)}`));
  const content = parse(textIn(bytes) ?? reject(invalidBody()));
  if (Array.isArray(content)) return checkedRows(content, isChosen);
  return isRow(content) ? [content] : [];
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

function parseJson(text: string): unknown {
  const json = parsedOrNothing(text);
  if (json === undefined || isDeeperThan(json, limits.bodyDepth)) return reject(invalidBody());
  // An array with too many rows is refused, whatever its numbers are.
  return Array.isArray(json) && json.length > limits.writtenRows ? json : withExactNumbers(json, text);
}

function parsedOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `NULL` is null; every other field is text, which the column's kind parses. */
function parseCsv(text: string): BodyRow[] {
  // The header, and one row more than may be written.
  const most = limits.writtenRows + 2;
  const [header, ...records] = csvRecords(text, most) ?? reject(invalidBody('Empty or invalid csv'));
  if (header === undefined) return reject(invalidBody('Empty or invalid csv'));
  return records.map((fields) => {
    if (fields.length !== header.length) reject(invalidBody('All lines must have same number of fields'));
    return Object.fromEntries(
      header.map((name, index) => [name, fields[index] === 'NULL' ? null : fields[index]]),
    );
  });
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
