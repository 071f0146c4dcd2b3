// `select`: columns, aliases, casts, JSON paths, aggregates and embedded relations.

import { problemFor, reject, type Problem } from '@practice/core';
import { limits } from '../limits.js';
import { tooMany } from '../problems.js';
import {
  cursorOn,
  expect,
  isAtEnd,
  peek,
  skipSpaces,
  take,
  unexpected,
  unexpectedCharacter,
} from './cursor.js';
import type { Cursor } from './cursor.js';
import { readField, readName, type Field } from './name.js';

const aggregateFunctions = ['sum', 'avg', 'min', 'max', 'count', 'countdistinct'] as const;

export type AggregateFunction = (typeof aggregateFunctions)[number];

const timeUnits = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const;

/** A period of the calendar. Weeks begin on Monday. */
export type TimeUnit = (typeof timeUnits)[number];

export interface SelectedColumn {
  readonly kind: 'column';
  readonly field: Field;
  readonly alias: string | null;
  readonly cast: string | null;
  /** Present if the period of the value is selected. The cast applies to the period. */
  readonly unit?: TimeUnit;
}

export interface SelectedAggregate {
  readonly kind: 'aggregate';
  readonly function: AggregateFunction;
  /** The aggregated field; null for `count()`, which counts rows. */
  readonly field: Field | null;
  readonly alias: string | null;
  /** Applied to the column before it is aggregated. */
  readonly cast: string | null;
  readonly resultCast: string | null;
}

export interface SelectedEmbed {
  readonly kind: 'embed';
  /** The relation as the caller names it: a resource, a foreign key or its column. */
  readonly target: string;
  readonly alias: string | null;
  readonly hint: string | null;
  readonly join: 'left' | 'inner';
  /** Whether its columns are spread into the parent. */
  readonly spread: boolean;
  readonly select: readonly SelectItem[];
}

export type SelectItem = { readonly kind: 'all' } | SelectedColumn | SelectedAggregate | SelectedEmbed;

const ALL: SelectItem = { kind: 'all' };

/**
 * The items of `select`; an empty list selects every column.
 * @param what the name of the text in errors
 * @throws {Rejection} PGRST100, and PM400 beyond the limits
 */
export function parseSelect(text: string, what = 'select parameter'): readonly SelectItem[] {
  if (text === '*' || text === '') return [];
  const reading: Reading = { cursor: cursorOn(text, what), items: 0 };
  const items = readItems(reading, 1);
  // PostgREST ignores text after an embed, or after an extra parenthesis.
  const isOver = isAtEnd(reading.cursor) || peek(reading.cursor) === ')' || items.at(-1)?.kind === 'embed';
  return isOver ? items : unexpected(reading.cursor, '"," or end of input');
}

interface Reading {
  readonly cursor: Cursor;
  /** The number of items read so far, at all levels. */
  items: number;
}

function readItems(reading: Reading, depth: number): SelectItem[] {
  const { cursor } = reading;
  const items: SelectItem[] = [];
  do {
    reading.items += 1;
    if (reading.items > limits.selectItems)
      reject(tooMany(`more than ${limits.selectItems} items in select`));
    items.push(readItem(reading, depth));
    skipSpaces(cursor);
  } while (take(cursor, ','));
  return items;
}

function readItem(reading: Reading, depth: number): SelectItem {
  const { cursor } = reading;
  skipSpaces(cursor);
  if (take(cursor, '*')) return ALL;
  if (take(cursor, '...'))
    return readEmbed(reading, { alias: null, target: readName(cursor), spread: true }, depth);
  const first = readField(cursor);
  const hasAlias =
    first.path.length === 0 && peek(cursor) === ':' && cursor.text.charAt(cursor.at + 1) !== ':';
  if (!hasAlias) return readRest(reading, { alias: null, field: first }, depth);
  cursor.at += 1;
  return readRest(reading, { alias: first.name, field: readField(cursor) }, depth);
}

/** The text after the name determines the kind of item. */
function readRest(
  reading: Reading,
  { alias, field }: Pick<SelectedColumn, 'alias' | 'field'>,
  depth: number,
): SelectItem {
  const { cursor } = reading;
  const next = peek(cursor);
  if (next === '(' && field.name === 'count' && cursor.text.startsWith('()', cursor.at)) {
    cursor.at += 2;
    const resultCast = readCast(cursor);
    return { kind: 'aggregate', function: 'count', field: null, alias, cast: null, resultCast };
  }
  if ((next === '(' || next === '!') && field.path.length === 0) {
    return readEmbed(reading, { alias, target: field.name, spread: false }, depth);
  }
  const cast = readCast(cursor);
  if (!take(cursor, '.')) return { kind: 'column', field, alias, cast };
  const name = readFunction(cursor);
  if (!isUnit(name))
    return { kind: 'aggregate', function: name, field, alias, cast, resultCast: readCast(cursor) };
  if (cast !== null) reject(castBefore(name));
  return { kind: 'column', field, alias, cast: readCast(cursor), unit: name };
}

const functions = [...aggregateFunctions, ...timeUnits];

const FUNCTIONS = functions.map((name) => `"${name}()"`).join(', ');

const isUnit = (name: AggregateFunction | TimeUnit): name is TimeUnit =>
  (timeUnits as readonly string[]).includes(name);

const readFunction = (cursor: Cursor): AggregateFunction | TimeUnit =>
  functions.find((name) => take(cursor, `${name}()`)) ?? unexpected(cursor, `one of ${FUNCTIONS}`);

/** PGRST100: a cast would hide whether the value is a date or an instant. */
const castBefore = (unit: TimeUnit): Problem =>
  problemFor('PGRST100', {
    message: `a cast before ${unit}() is not possible`,
    hint: `Cast the period: column.${unit}()::text.`,
  });

function readCast(cursor: Cursor): string | null {
  return take(cursor, '::') ? readName(cursor, 'the name of a type') : null;
}

function readEmbed(
  reading: Reading,
  { alias, target, spread }: Pick<SelectedEmbed, 'alias' | 'target' | 'spread'>,
  depth: number,
): SelectedEmbed {
  const { cursor } = reading;
  if (depth > limits.embedDepth) reject(tooMany(`relations embedded deeper than ${limits.embedDepth}`));
  let join: 'left' | 'inner' = 'left';
  let hint: string | null = null;
  const from = cursor.at;
  while (take(cursor, '!')) {
    const parameter = readName(cursor, 'a join type (inner, left) or a hint');
    if (parameter === 'inner' || parameter === 'left') join = parameter;
    else hint ??= parameter;
  }
  if (peek(cursor) !== '(') refuseHint(cursor, from);
  expect(cursor, '(');
  skipSpaces(cursor);
  const select = peek(cursor) === ')' ? [] : readItems(reading, depth + 1);
  expect(cursor, ')', '"," or ")"');
  return { kind: 'embed', target, alias, hint, join, spread, select };
}

/** Only relations have hints. */
function refuseHint(cursor: Cursor, from: number): never {
  cursor.at = from;
  return unexpectedCharacter(cursor, 'letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input');
}

/** A plain list of names: `columns`, `on_conflict`. As in PostgREST, text after the last name is ignored. */
export function parseNames(
  text: string,
  what: 'columns parameter' | 'on_conflict parameter',
): readonly string[] {
  const cursor = cursorOn(text, what);
  const names: string[] = [];
  do {
    names.push(readName(cursor));
    skipSpaces(cursor);
    if (names.length > limits.selectItems)
      reject(tooMany(`more than ${limits.selectItems} names in ${what}`));
  } while (take(cursor, ','));
  return names;
}
