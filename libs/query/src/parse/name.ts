// Names of columns, relations and aliases, and the JSON paths after them.

import { reject } from '@practice/core';
import { limits } from '../limits.js';
import { tooMany } from '../problems.js';
import { unescaped } from './characters.js';
import { endOf, isAtEnd, peek, skipSpaces, take, unexpected, unexpectedCharacter } from './cursor.js';
import type { Cursor } from './cursor.js';

/** One step into a JSON document. */
export interface JsonStep {
  /** `->>`: the step returns text instead of JSON. */
  readonly asText: boolean;
  readonly key: string | number;
}

/** A column as the caller names it, with a path into its JSON. */
export interface Field {
  readonly name: string;
  readonly path: readonly JsonStep[];
}

const NAME = 'field name (* or [a..z0..9_$])';
const NO_STEPS: readonly JsonStep[] = [];

/** A name followed by its JSON path, if it has one. */
export function readField(cursor: Cursor, expecting = NAME): Field {
  const name = readName(cursor, expecting);
  return { name, path: readPath(cursor) };
}

/** Letters, digits, `_`, `$`, spaces and dashes. A dash that begins an arrow is not part of a name. */
const BARE_NAME = /(?:[\p{L}\p{N}\p{M}_$ ]|-(?!>))*/uy;

/** A bare name or a quoted one. */
export function readName(cursor: Cursor, expecting = NAME): string {
  skipSpaces(cursor);
  if (peek(cursor) === '"') return readQuoted(cursor);
  const from = cursor.at;
  cursor.at = endOf(BARE_NAME, cursor);
  const name = cursor.text.slice(from, cursor.at).trim();
  return name === '' ? unexpected(cursor, expecting) : name;
}

/** `"…"`, in which `\x` stands for x. */
export function readQuoted(cursor: Cursor): string {
  const from = cursor.at + 1;
  const end = quotedEnd(cursor);
  cursor.at = end ?? cursor.text.length;
  if (end === null) return unexpected(cursor, '"\\"" at the end of the quoted text');
  return unescaped(cursor.text.slice(from, end - 1));
}

const QUOTED = /"[^"\\]*(?:\\[^][^"\\]*)*"/y;

/** The index after the quoted text at the cursor; null if it does not end. */
export function quotedEnd({ text, at }: Cursor): number | null {
  QUOTED.lastIndex = at;
  return QUOTED.test(text) ? QUOTED.lastIndex : null;
}

export const tooManySteps = tooMany(`more than ${limits.pathSteps} steps into JSON`);

/** `->key`, `->>key`, `->0`, `->-1`, several of them. */
export function readPath(cursor: Cursor): readonly JsonStep[] {
  if (!cursor.text.startsWith('->', cursor.at)) return NO_STEPS;
  const steps: JsonStep[] = [];
  while (take(cursor, '->')) {
    steps.push({ asText: take(cursor, '>'), key: readKey(cursor) });
    if (steps.length > limits.pathSteps) reject(tooManySteps);
  }
  return steps;
}

function readKey(cursor: Cursor): string | number {
  const from = cursor.at;
  take(cursor, '-');
  cursor.at = endOf(DIGITS, cursor);
  const digits = cursor.text.slice(from, cursor.at);
  if (/^-?\d{1,9}$/.test(digits) && endOf(KEY_NAME, cursor) === cursor.at) return Number(digits) || 0;
  if (digits.startsWith('-')) return refuseNegative(cursor, digits);
  cursor.at = from;
  return readKeyName(cursor);
}

/** Rejects text after a dash that is not an index: no key begins with a dash. */
const refuseNegative = (cursor: Cursor, digits: string): never =>
  digits === '-' || isAtEnd(cursor)
    ? unexpected(cursor, 'digit')
    : unexpectedCharacter(cursor, 'digit, "->", "::", ".", "," or end of input');

const KEY = '"-", digit or any non reserved character different from: .,>()';

/** A quoted key, or the text up to a character that ends it. A dash is part of the key, unless it begins an arrow. */
function readKeyName(cursor: Cursor): string {
  if (peek(cursor) === '"') return readQuoted(cursor);
  const from = cursor.at;
  cursor.at = endOf(KEY_NAME, cursor);
  const key = cursor.text.slice(from, cursor.at).trim();
  return key === '' ? unexpected(cursor, KEY) : key;
}

const DIGITS = /\d*/y;
const KEY_NAME = /(?:[^-(:.,>)]|-(?!>))*/y;
