// `order`: `column.desc.nullslast,relation(column).asc`.

import { reject } from '@practice/core';
import { limits } from '../limits.js';
import { tooMany } from '../problems.js';
import { cursorOn, expect, isAtEnd, peek, skipSpaces, take, unexpected } from './cursor.js';
import type { Cursor } from './cursor.js';
import { readField } from './name.js';
import type { Field } from './name.js';

export interface OrderTerm {
  readonly field: Field;
  /** The embedded to-one relation whose column it is; null for a column of the resource itself. */
  readonly relation: string | null;
  readonly descending: boolean;
  /** Null leaves it to Postgres: last when ascending, first when descending. */
  readonly nulls: 'first' | 'last' | null;
}

/** @throws {Rejection} PGRST100 */
export function parseOrder(text: string): readonly OrderTerm[] {
  const cursor = cursorOn(text, 'order');
  const terms: OrderTerm[] = [];
  do {
    if (terms.length === limits.orderTerms) reject(tooMany(`more than ${limits.orderTerms} terms in order`));
    terms.push(readTerm(cursor));
    skipSpaces(cursor);
  } while (take(cursor, ','));
  if (!isAtEnd(cursor)) unexpected(cursor, '"," or end of input');
  return terms;
}

function readTerm(cursor: Cursor): OrderTerm {
  const first = readField(cursor);
  if (first.path.length > 0 || peek(cursor) !== '(')
    return { field: first, relation: null, ...readDirection(cursor) };
  cursor.at += 1;
  const field = readField(cursor);
  expect(cursor, ')');
  return { field, relation: first.name, ...readDirection(cursor) };
}

function readDirection(cursor: Cursor): Pick<OrderTerm, 'descending' | 'nulls'> {
  if (!take(cursor, '.')) return { descending: false, nulls: null };
  const nulls = readNulls(cursor);
  if (nulls !== null) return { descending: false, nulls };
  const descending = take(cursor, 'desc');
  if (!descending && !take(cursor, 'asc')) unexpected(cursor, '"asc", "desc", "nullsfirst" or "nullslast"');
  if (!take(cursor, '.')) return { descending, nulls: null };
  return { descending, nulls: readNulls(cursor) ?? unexpected(cursor, '"nullsfirst" or "nullslast"') };
}

function readNulls(cursor: Cursor): 'first' | 'last' | null {
  if (take(cursor, 'nullsfirst')) return 'first';
  return take(cursor, 'nullslast') ? 'last' : null;
}
