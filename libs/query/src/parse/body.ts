// A body as the rows it holds. What a value may be is the resource's business, not the dialect's.

import { reject } from '@practice/core';
import { limits } from '../limits.js';
import { invalidBody, tooManyRows } from '../problems.js';

export type BodyRow = Readonly<Record<string, unknown>>;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The rows of a body: a JSON object is one, an array one per object, any other JSON none.
 * @param chosen whether `columns` names the keys to take; without it the rows must all have the same keys
 * @throws {Rejection} PGRST102, 22023 for an array that holds more than objects, PM413 for too many rows
 */
export function parseBody(
  body: Uint8Array,
  contentType: string | undefined,
  chosen: boolean,
): readonly BodyRow[] {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type !== '' && type !== 'application/json')
    reject(invalidBody(`Content-Type not acceptable: ${type.slice(0, 100)}`));
  const json = parseJson(body);
  if (Array.isArray(json)) return checkedRows(json, chosen);
  return isRow(json) ? [json] : [];
}

function parseJson(body: Uint8Array): unknown {
  const json = parsedOrNothing(body);
  if (json === undefined || isTooDeep(json)) reject(invalidBody());
  return json;
}

function parsedOrNothing(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    return undefined;
  }
}

/** Walks without recursion: a deep document would exhaust the stack here, or later where it is written out. */
function isTooDeep(json: unknown): boolean {
  let level: unknown[] = [json];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limits.bodyDepth) return true;
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  return false;
}

function checkedRows(array: readonly unknown[], chosen: boolean): readonly BodyRow[] {
  if (array.length > limits.writtenRows) reject(tooManyRows(limits.writtenRows));
  if (!array.every(isRow)) {
    if (!chosen) reject(invalidBody('All object keys must match'));
    reject({
      status: 400,
      code: '22023',
      message: 'argument of json_to_recordset must be an array of objects',
    });
  }
  if (!chosen && !haveSameKeys(array)) reject(invalidBody('All object keys must match'));
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

const isRow = (json: unknown): json is BodyRow =>
  typeof json === 'object' && json !== null && !Array.isArray(json);
