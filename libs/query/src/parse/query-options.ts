// Groups the parameters of a URL by their meaning. Every key that is not reserved is a filter.

import { reject, STEP, type Steps } from '@practice/core';
import { limits } from '../limits.js';
import { cursorOn, isAtEnd, take, unexpected, type Cursor } from './cursor.js';
import { parseTest, type Filter } from './filter.js';
import { filtersIn, parseTree, tooManyFilters, type Condition } from './logic.js';
import { readName, readPath, tooManySteps, type Field } from './name.js';
import { parseOrder, type OrderTerm } from './order.js';
import type { Parameter } from './query-string.js';
import { parseCount } from './range.js';
import { parseNames, parseSelect, type SelectItem } from './select.js';

/** An option with the names of the embedded relations that lead to its target; without names it is for the resource itself. */
export interface Addressed<T> {
  readonly embed: readonly string[];
  readonly value: T;
}

/** The options in a URL. */
export interface QueryOptions {
  /** Empty: every column. */
  readonly select: readonly SelectItem[];
  readonly conditions: readonly Addressed<Condition>[];
  readonly orders: readonly Addressed<readonly OrderTerm[]>[];
  readonly limits: readonly Addressed<number | null>[];
  readonly offsets: readonly Addressed<number | null>[];
  readonly columns: readonly string[] | null;
  readonly onConflict: readonly string[] | null;
}

/** Every column of every row. */
export const noOptions: QueryOptions = {
  select: [],
  conditions: [],
  orders: [],
  limits: [],
  offsets: [],
  columns: null,
  onConflict: null,
};

interface Sorted {
  select: readonly SelectItem[] | null;
  readonly conditions: Addressed<Condition>[];
  readonly orders: Addressed<readonly OrderTerm[]>[];
  readonly limits: Addressed<number | null>[];
  readonly offsets: Addressed<number | null>[];
  columns: readonly string[] | null;
  onConflict: readonly string[] | null;
}

const ROOT: readonly string[] = [];

/** @throws {Rejection} PGRST100 for the first parameter that does not parse, PM400 for too many of them, of filters or of steps into JSON */
export function* parseQueryOptions(parameters: readonly Parameter[]): Steps<QueryOptions> {
  if (parameters.length === 0) return noOptions;
  const lists = { conditions: [], orders: [], limits: [], offsets: [] };
  // The spread is last: on Node 20, new members after it are slow.
  const sorted: Sorted = { select: null, columns: null, onConflict: null, ...lists };
  const filters: Filter[] = [];
  for (const parameter of parameters) {
    const known = sorted.conditions.length;
    yield* sort(parameter, sorted);
    yield;
    for (const { value } of sorted.conditions.slice(known)) filters.push(...filtersIn(value));
    if (filters.length > limits.filters) reject(tooManyFilters);
  }
  sorted.select ??= [];
  const terms = [...filters, ...sorted.orders.flatMap(({ value }) => value)].map(({ field }) => field);
  const paths = [...terms, ...sorted.select.flatMap(fieldsOf)].flatMap(({ path }) => path);
  if (paths.length > limits.pathSteps) reject(tooManySteps);
  return sorted as QueryOptions;
}

function* sort({ key, value }: Parameter, sorted: Sorted): Steps<void> {
  if (key === 'select') sorted.select ??= parseSelect(value);
  else if (key === 'columns') sorted.columns ??= parseNames(value, 'columns parameter');
  else if (key === 'on_conflict') sorted.onConflict ??= parseNames(value, 'on_conflict parameter');
  else yield* sortByLastWord(key, value, sorted);
}

function* sortByLastWord(key: string, value: string, sorted: Sorted): Steps<void> {
  const dot = key.lastIndexOf('.');
  const word = dot < 0 ? key : key.slice(dot + 1);
  if (!RESERVED.has(word)) return void sorted.conditions.push(yield* addressedFilter(key, value));
  const embed = dot < 0 ? ROOT : yield* readAddress(key.slice(0, dot));
  if (word === 'order') sorted.orders.push({ embed, value: parseOrder(value) });
  else if (word === 'limit') sorted.limits.push({ embed, value: parseCount(value) });
  else if (word === 'offset') sorted.offsets.push({ embed, value: parseCount(value) });
  else sorted.conditions.push(addressedTree(embed, word as 'and' | 'or', value));
}

const RESERVED: ReadonlySet<string> = new Set(['order', 'limit', 'offset', 'and', 'or']);

/** The names before a reserved word. */
function* readAddress(text: string): Steps<readonly string[]> {
  const cursor = cursorOn(text, 'tree path');
  const names = yield* readNames(cursor);
  return isAtEnd(cursor) ? names : unexpected(cursor, '"."');
}

/** Names with dots between them. */
function* readNames(cursor: Cursor): Steps<string[]> {
  const names = [readName(cursor)];
  while (take(cursor, '.')) {
    names.push(readName(cursor));
    if (names.length % STEP === 0) yield;
  }
  return names;
}

function addressedTree(names: readonly string[], word: 'and' | 'or', value: string): Addressed<Condition> {
  const negated = names.at(-1) === 'not';
  const tree = parseTree(negated ? `not.${word}` : word, value);
  return { embed: negated ? names.slice(0, -1) : names, value: tree };
}

function* addressedFilter(key: string, value: string): Steps<Addressed<Condition>> {
  const cursor = cursorOn(key, 'tree path');
  const names = yield* readNames(cursor);
  // As everywhere in filters, text after the path is ignored.
  const path = readPath(cursor);
  const field: Field = { name: names.at(-1) ?? '', path };
  const embed = names.length === 1 ? ROOT : names.slice(0, -1);
  return { embed, value: { kind: 'filter', field, ...parseTest(value) } };
}

function fieldsOf(item: SelectItem): readonly Field[] {
  if (item.kind === 'embed') return item.select.flatMap(fieldsOf);
  return item.kind === 'all' || item.field === null ? [] : [item.field];
}
