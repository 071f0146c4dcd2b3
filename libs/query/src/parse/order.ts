// `order`: `column.desc.nullslast,relation(column).asc`.

import { reject } from '@practice/core';
import { limits } from '../limits.js';
import { tooMany } from '../problems.js';
import { cursorOn, isAtEnd, peek, skipSpaces, take, unexpected, unexpectedCharacter } from './cursor.js';
import type { Cursor } from './cursor.js';
import { readField, type Field } from './name.js';

export interface OrderTerm {
  readonly field: Field;
  /** The embedded to-one relation that has the column; null for a column of the resource itself. */
  readonly relation: string | null;
  readonly descending: boolean;
  /** Null is Postgres' default: last if ascending, first if descending. */
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
  return terms;
}

function readTerm(cursor: Cursor): OrderTerm {
  const first = readField(cursor);
  if (first.path.length > 0 || peek(cursor) !== '(')
    return { field: first, relation: null, ...readDirection(cursor, IN_NAME) };
  const from = cursor.at;
  cursor.at += 1;
  const field = readField(cursor);
  if (!take(cursor, ')')) {
    cursor.at = from;
    unexpectedCharacter(cursor, IN_NAME + END);
  }
  return { field, relation: first.name, ...readDirection(cursor, DELIMITER) };
}

const END = '"," or end of input';
const DELIMITER = 'delimiter (.), ';
const IN_NAME = `letter, digit, "-", "->>", "->", ${DELIMITER}`;

/** @param otherwise the tokens that are possible besides the end of the term */
function readDirection(cursor: Cursor, otherwise: string): Pick<OrderTerm, 'descending' | 'nulls'> {
  if (!take(cursor, '.')) return ended(cursor, otherwise, { descending: false, nulls: null });
  const nulls = readNulls(cursor);
  if (nulls !== null) return ended(cursor, '', { descending: false, nulls });
  const descending = take(cursor, 'desc');
  if (!descending && !take(cursor, 'asc')) unexpected(cursor, '"asc", "desc", "nullsfirst" or "nullslast"');
  if (!take(cursor, '.')) return ended(cursor, DELIMITER, { descending, nulls: null });
  const given = readNulls(cursor) ?? unexpected(cursor, '"nullsfirst" or "nullslast"');
  return ended(cursor, '', { descending, nulls: given });
}

/** A term is followed by a comma or the end of the text. */
function ended<T>(cursor: Cursor, otherwise: string, term: T): T {
  skipSpaces(cursor);
  if (!isAtEnd(cursor) && peek(cursor) !== ',') unexpectedCharacter(cursor, otherwise + END);
  return term;
}

function readNulls(cursor: Cursor): 'first' | 'last' | null {
  if (take(cursor, 'nullsfirst')) return 'first';
  return take(cursor, 'nullslast') ? 'last' : null;
}
