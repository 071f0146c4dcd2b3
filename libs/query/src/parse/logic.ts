// Logic trees: `(a.eq.1,or(b.is.null,not.and(…)))` after `and` or `or`.

import { reject } from '@practice/core';
import { limits } from '../limits.js';
import { operators } from '../operators.js';
import { tooMany } from '../problems.js';
import { cursorOn, expect, isAtEnd, peek, skipSpaces, take, unexpected, type Cursor } from './cursor.js';
import { readTestInTree, type Filter } from './filter.js';
import { readField } from './name.js';

export interface Tree {
  readonly kind: 'tree';
  readonly negated: boolean;
  readonly operator: 'and' | 'or';
  readonly members: readonly Condition[];
}

export type Condition = Filter | Tree;

/** The filters of a condition, at all levels. */
export const filtersIn = (condition: Condition): readonly Filter[] =>
  condition.kind === 'tree' ? condition.members.flatMap(filtersIn) : [condition];

const MEMBER = 'field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)';

/**
 * The tree of a parameter such as `or=(…)`. As in PostgREST, text after the closing parenthesis is ignored.
 * @param key `and`, `or`, `not.and` or `not.or`
 */
export function parseTree(key: string, value: string): Tree {
  const negated = key.startsWith('not.');
  const operator = key.endsWith('and') ? 'and' : 'or';
  const cursor = cursorOn(`${operator}${value}`, 'logic tree', value);
  cursor.at = operator.length;
  return { kind: 'tree', negated, operator, members: readMembers(cursor, 1) };
}

export const tooManyFilters = tooMany(`more than ${limits.filters} filters`);

function readMembers(cursor: Cursor, depth: number): Condition[] {
  if (depth > limits.treeDepth) reject(tooMany(`logic operators nested deeper than ${limits.treeDepth}`));
  skipSpaces(cursor);
  expect(cursor, '(');
  const members: Condition[] = [];
  do {
    members.push(readMember(cursor, depth));
    skipSpaces(cursor);
  } while (take(cursor, ','));
  expect(cursor, ')', '"," or ")"');
  return members;
}

function readMember(cursor: Cursor, depth: number): Condition {
  skipSpaces(cursor);
  const start = /(not\.)?(and|or) *\(/y;
  start.lastIndex = cursor.at;
  const match = start.exec(cursor.text);
  if (match === null) return readFilter(cursor);
  cursor.at = start.lastIndex - 1;
  const operator = match[2] as 'and' | 'or';
  return { kind: 'tree', negated: match[1] !== undefined, operator, members: readMembers(cursor, depth + 1) };
}

function readFilter(cursor: Cursor): Filter {
  cursor.filters += 1;
  if (cursor.filters > limits.filters) reject(tooManyFilters);
  const from = cursor.at;
  const field = readField(cursor, MEMBER);
  if (peek(cursor) === '(') refuseOperator(cursor, from);
  expect(cursor, '.', isAtEnd(cursor) ? MEMBER : '"."');
  if (field.name === 'not' && !isOperatorNext(cursor)) unexpected(cursor, 'logic operator (and, or)');
  return { kind: 'filter', field, ...readTestInTree(cursor) };
}

/** Rejects a word before a parenthesis that is no logic operator. The error is at the first character that differs from an operator. */
function refuseOperator(cursor: Cursor, from: number): never {
  const word = /and|or/y;
  word.lastIndex = from;
  cursor.at = from + (word.exec(cursor.text)?.[0].length ?? 0);
  return unexpected(cursor, cursor.at === from ? MEMBER : '"("');
}

/** Whether a test is next: a column may be called `not`. */
function isOperatorNext({ text, at }: Cursor): boolean {
  const test = /(not\.)?([a-z]+)[.(]/y;
  test.lastIndex = at;
  return operators.has(test.exec(text)?.[2] ?? '');
}
