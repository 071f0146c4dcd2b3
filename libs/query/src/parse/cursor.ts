// Reading a text from left to right, one character at a time: no backtracking, so time is linear in the text.

import { reject } from '@practice/core';
import type { Problem } from '@practice/core';

/** A place in a text that is being read. */
export interface Cursor {
  readonly text: string;
  /** What the text is, as an error names it: `filter`, `order`, … */
  readonly what: string;
  /** The text as the caller wrote it, where it was completed before reading. */
  readonly written: string;
  at: number;
}

export const cursorOn = (text: string, what: string, written = text): Cursor => ({
  text,
  what,
  written,
  at: 0,
});

/** The character here; the empty string at the end. */
export const peek = (cursor: Cursor): string => cursor.text.charAt(cursor.at);

export const isAtEnd = (cursor: Cursor): boolean => cursor.at >= cursor.text.length;

/** Steps over `token` when it stands here. */
export function take(cursor: Cursor, token: string): boolean {
  if (!cursor.text.startsWith(token, cursor.at)) return false;
  cursor.at += token.length;
  return true;
}

/** Steps over `token`, which must stand here. */
export function expect(cursor: Cursor, token: string, expecting = `"${token}"`): void {
  if (!take(cursor, token)) unexpected(cursor, expecting);
}

export function skipSpaces(cursor: Cursor): void {
  while (peek(cursor) === ' ') cursor.at += 1;
}

/** Everything up to the next of `ends`, or to the end of the text. */
export function takeUntil(cursor: Cursor, ends: string): string {
  const from = cursor.at;
  while (cursor.at < cursor.text.length && !ends.includes(peek(cursor))) cursor.at += 1;
  return cursor.text.slice(from, cursor.at);
}

/**
 * Refuses the text at the cursor.
 * @throws {Rejection} PGRST100, worded as PostgREST's parser words it
 */
export function unexpected(cursor: Cursor, expecting: string, hint: string | null = null): never {
  const found = isAtEnd(cursor)
    ? 'end of input'
    : JSON.stringify(String.fromCodePoint(cursor.text.codePointAt(cursor.at) ?? 0));
  reject(parseFailure(cursor, `unexpected ${found} expecting ${expecting}`, hint));
}

/**
 * Refuses the text at the cursor, where any other character might have stood: those the parser quotes with apostrophes.
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
  return { status: 400, code: 'PGRST100', message, details, hint };
}
