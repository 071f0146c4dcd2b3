// JSON objects. The canonical form has its keys in the order of `jsonb`, so that a record looks the same whether its JSON comes
// from the request, from the table or from the log.

import { allSteps, jsonIn, Rejection } from '@practice/core';
import { invalidSyntax, malformed, parsed, type Kind, type Parsed } from './kind.js';

export type JsonObject = { readonly [key: string]: unknown };

/** A JSON object. A body may contain the object or its text. */
export const json: Kind<JsonObject> = {
  name: 'json',
  sqlType: 'jsonb',
  pgName: 'json',
  expects: 'a JSON object',
  families: ['equality', 'order', 'fullText', 'containment'],
  parse: parseJson,
  fromText: (text) => JSON.parse(text) as JsonObject,
  toJson: jsonbText,
  immutableText: (column) => `${column}::text`,
  schema: { type: 'object' },
  typescript: 'Json',
};

/** A JSON array that only code of its own reads or makes. */
export const jsonArray: Kind<JsonObject> = { ...json, schema: { type: 'array', items: {} } };

function parseJson(input: unknown): Parsed<JsonObject> {
  const read = typeof input === 'string' ? documentIn(input) : parsed(input);
  if (!read.ok) return read;
  const { value } = read;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return invalidSyntax('json', input);
  // Much faster than a look at each text, as is `bytesOf` for ASCII: a document may have many thousand keys.
  return UNSTORABLE.test(JSON.stringify(value))
    ? malformed('22P05', 'unsupported Unicode escape sequence')
    : parsed(canonical(value) as JsonObject);
}

const MAX_DEPTH = 64;

/** The document in a text. `JSON.parse` would change numbers that doubles do not hold. */
function documentIn(text: string): Parsed<unknown> {
  try {
    return parsed(allSteps(jsonIn(text, { depth: MAX_DEPTH, isDocument: true })));
  } catch (error) {
    return error instanceof Rejection ? { ok: false, problem: error.problem } : invalidSyntax('json', text);
  }
}

/** Whether the JSON of a value has more bytes than this. No more of the value is read than these bytes. */
export const isLonger = (value: unknown, bytes: number): boolean => bytesLeft(value, bytes) < 0;

function bytesLeft(value: unknown, bytes: number): number {
  if (!isNested(value)) return bytes - Buffer.byteLength(JSON.stringify(value));
  let left = bytes - '[]'.length;
  let separator = 0;
  const keys: readonly string[] | null = Array.isArray(value) ? null : Object.keys(value);
  for (const one of keys ?? (value as unknown[])) {
    const name = keys === null ? 0 : Buffer.byteLength(JSON.stringify(one)) + 1;
    const member = keys === null ? one : (value as JsonObject)[one as string];
    left = bytesLeft(member, left - separator - name);
    if (left < 0) return left;
    separator = 1;
  }
  return left;
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** An escaped NUL or half of a surrogate pair, in a text of `JSON.stringify`: Postgres stores neither. */
export const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const names = Object.keys(value).map((name) => [bytesOf(name), name] as const);
  names.sort(([one], [other]) => byJsonbOrder(one, other));
  return Object.fromEntries(names.map(([, name]) => [name, canonical((value as JsonObject)[name])]));
}

/** The bytes of a key as the characters of a text, which is compared faster than a buffer. */
const bytesOf = (key: string): string =>
  /[^\x00-\x7f]/.test(key) ? Buffer.from(key).toString('latin1') : key;

/** Compares keys in the order of `jsonb`: shorter keys first, then byte by byte. */
const byJsonbOrder = (one: string, other: string): number =>
  one.length - other.length || (one < other ? -1 : 1);

/** JSON with the spaces that Postgres writes in a `jsonb`. */
function jsonbText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonbText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}: ${jsonbText(member)}`,
  );
  return `{${members.join(', ')}}`;
}
