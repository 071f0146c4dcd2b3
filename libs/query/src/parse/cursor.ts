// Reads a text from left to right, one character at a time, without backtracking. The time is linear in the length of the text.

import { problemFor, reject, type Problem } from '@practice/core';

/** A position in a text. */
export interface Cursor {
  readonly text: string;
  /** The kind of text, for error messages: `filter`, `order`, … */
  readonly what: string;
  /** The text as the caller wrote it. `text` may have an addition that the parser needs. */
  readonly written: string;
  at: number;
  /** The number of filters that were read. */
  filters: number;
}

export const cursorOn = (text: string, what: string, written = text): Cursor => ({
  text,
  what,
  written,
  at: 0,
  filters: 0,
});

/** The next character; the empty string at the end. */
export const peek = (cursor: Cursor): string => cursor.text.charAt(cursor.at);

export const isAtEnd = (cursor: Cursor): boolean => cursor.at >= cursor.text.length;

/** Skips `token` if it is next. */
export function take(cursor: Cursor, token: string): boolean {
  if (!cursor.text.startsWith(token, cursor.at)) return false;
  cursor.at += token.length;
  return true;
}

/** Skips `token`, which must be next. */
export function expect(cursor: Cursor, token: string, expecting = `"${token}"`): void {
  if (!take(cursor, token)) unexpected(cursor, expecting);
}

export function skipSpaces(cursor: Cursor): void {
  const next = peek(cursor);
  if (next === ' ' || next === '\t') cursor.at = endOf(SPACES, cursor);
}

const SPACES = /[ \t]*/y;

/** The index after the longest text at the cursor that matches. @param pattern sticky, and matches the empty text too */
export function endOf(pattern: RegExp, { text, at }: Cursor): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex;
}

/** Everything up to the next of `ends`, or to the end of the text. */
export function takeUntil(cursor: Cursor, ends: string): string {
  const from = cursor.at;
  while (cursor.at < cursor.text.length && !ends.includes(peek(cursor))) cursor.at += 1;
  return cursor.text.slice(from, cursor.at);
}

/**
 * Rejects the text at the cursor.
 * @throws {Rejection} PGRST100, in the wording of PostgREST's parser
 */
export function unexpected(cursor: Cursor, expecting: string, hint: string | null = null): never {
  const found = isAtEnd(cursor)
    ? 'end of input'
    : JSON.stringify(String.fromCodePoint(cursor.text.codePointAt(cursor.at) ?? 0));
  reject(parseFailure(cursor, `unexpected ${found} expecting ${expecting}`, hint));
}

/**
 * Rejects the character at the cursor. PostgREST's parser quotes a single character with apostrophes.
 * @throws {Rejection} PGRST100
 */
export function unexpectedCharacter(cursor: Cursor, expecting: string): never {
  const found = String.fromCodePoint(cursor.text.codePointAt(cursor.at) ?? 0);
  reject(parseFailure(cursor, `unexpected '${found}' expecting ${expecting}`, null));
}

const SHOWN = 200;

function parseFailure({ what, written, at }: Cursor, details: string, hint: string | null): Problem {
  const shown = written.length > SHOWN ? `${written.slice(0, SHOWN)}…` : written;
  const message = `"failed to parse ${what} (${shown})" (line 1, column ${at + 1})`;
  return problemFor('PGRST100', { message, details, hint });
}
