// One condition on one column: `[not.]operator[(modifier)].value`.

import { reject } from '@practice/core';
import { limits } from '../limits.js';
import { nearest } from '../nearest.js';
import { isKeywords, operators } from '../operators.js';
import type { IsKeyword, Operand, Operator, Quantifier } from '../operators.js';
import { tooMany } from '../problems.js';
import { withCharacter } from './characters.js';
import { cursorOn, endOf, expect, isAtEnd, peek, skipSpaces, take, takeUntil, unexpected } from './cursor.js';
import type { Cursor } from './cursor.js';
import { quotedEnd, readQuoted, type Field } from './name.js';
import { checkRegex } from './regex.js';

/** The test that a filter applies to its column: plain data, so the operator is its name. */
export interface Test {
  readonly negated: boolean;
  readonly operator: string;
  readonly operand: Operand;
}

export interface Filter extends Test {
  readonly kind: 'filter';
  readonly field: Field;
}

/** The value that a filter requires the column to equal; null if the filter asks anything else. */
export const requiredValue = ({ operator, negated, operand }: Test): string | null =>
  operator === 'eq' && !negated && operand.kind === 'value' ? operand.text : null;

/** Reads the value after the operator. It ends with the text or, inside a tree, at `,` or `)`. */
type ReadValue = (cursor: Cursor) => string;

const OPERATOR = '"not" or operator (eq, gt, ...)';

/** The test of a plain filter: its value is the rest of the text, literally. */
export function parseTest(text: string): Test {
  const cursor = cursorOn(text, 'filter');
  return readTest(cursor, (at) => at.text.slice(at.at));
}

/** A test inside a logic tree; the cursor stops after its value. */
export const readTestInTree = (cursor: Cursor): Test => readTest(cursor, readTreeValue);

function readTest(cursor: Cursor, readValue: ReadValue): Test {
  const negated = take(cursor, 'not.');
  const operator = readOperator(cursor, negated);
  return { negated, operator: operator.name, operand: readOperand(cursor, operator, readValue) };
}

function readOperator(cursor: Cursor, negated: boolean): Operator {
  const { at, text } = cursor;
  const end = endOf(LETTERS, cursor);
  const name = text.slice(at, end);
  const operator = operators.get(name);
  const follows = text.charAt(end);
  if (operator !== undefined && (follows === '.' || follows === '(')) {
    cursor.at = end;
    return operator;
  }
  const near = name === '' || operator !== undefined ? null : nearest(name, operators.keys());
  const hint = near === null ? null : `Perhaps you meant the operator "${near}".`;
  return unexpected(cursor, negated ? 'operator (eq, gt, ...)' : OPERATOR, hint);
}

const LETTERS = /[a-z]*/y;

function readOperand(cursor: Cursor, operator: Operator, readValue: ReadValue): Operand {
  const modifier = take(cursor, '(') ? readModifier(cursor, operator) : null;
  expect(cursor, '.');
  switch (operator.operand) {
    case 'list':
      return { kind: 'list', elements: readList(cursor) };
    case 'keyword':
      return { kind: 'keyword', keyword: readKeyword(cursor) };
    case 'search':
      return { kind: 'search', config: modifier, text: readValue(cursor) };
    case 'value':
      return compared(readValue(cursor), modifier);
    case 'regex':
      return compared(checkedRegex(readValue(cursor)), modifier);
    case 'similar':
      return compared(checkedWords(readValue(cursor)), modifier);
    case 'pattern':
      return compared(withCharacter(readValue(cursor), '*', '%'), modifier);
  }
}

function checkedRegex(text: string): string {
  checkRegex(text);
  return text;
}

function checkedWords(text: string): string {
  if (text.length > limits.searchedWords)
    reject(tooMany(`more than ${limits.searchedWords} characters to search for`));
  return text;
}

const compared = (text: string, quantifier: string | null): Operand =>
  quantifier === null
    ? { kind: 'value', text }
    : { kind: 'quantified', quantifier: quantifier as Quantifier, array: text };

/** `(any)`, `(all)`, or the text search configuration of a full-text operator. */
function readModifier(cursor: Cursor, { name, operand, quantified }: Operator): string {
  if (operand !== 'search' && !quantified) return refuseModifier(cursor, name);
  const from = cursor.at;
  const modifier = takeUntil(cursor, ').');
  const known = operand === 'search' ? /^[\w ]+$/.test(modifier) : modifier === 'any' || modifier === 'all';
  if (!known) {
    cursor.at = from;
    unexpected(cursor, operand === 'search' ? 'the name of a text search configuration' : '"any" or "all"');
  }
  expect(cursor, ')');
  return modifier;
}

function refuseModifier(cursor: Cursor, name: string): never {
  cursor.at -= 1;
  return unexpected(cursor, '"."', `The operator "${name}" takes neither (any) nor (all).`);
}

/** The keyword that is next, in any case. As in PostgREST, text after it is ignored. */
function readKeyword(cursor: Cursor): IsKeyword {
  const here = cursor.text.slice(cursor.at, cursor.at + 8).toLowerCase();
  for (const keyword of Object.keys(isKeywords) as IsKeyword[]) {
    if (!here.startsWith(keyword)) continue;
    cursor.at += keyword.length;
    return keyword;
  }
  return unexpected(cursor, 'isVal: (null, not_null, true, false, unknown)');
}

function readList(cursor: Cursor): string[] {
  skipSpaces(cursor);
  expect(cursor, '(');
  skipSpaces(cursor);
  const elements: string[] = [];
  if (peek(cursor) !== ')') {
    do {
      if (elements.length === limits.listElements)
        reject(tooMany(`more than ${limits.listElements} elements in a list`));
      elements.push(readElement(cursor, ',)'));
    } while (take(cursor, ','));
  }
  expect(cursor, ')', '"," or ")"');
  return elements;
}

/** A quoted element, if the closing quote is its end; otherwise the raw text up to one of `ends`. */
function readElement(cursor: Cursor, ends: string): string {
  const from = cursor.at;
  if (peek(cursor) === '"' && closesBefore(cursor, ends)) return readQuoted(cursor);
  cursor.at = from;
  return takeUntil(cursor, ends);
}

/** Whether the quoted text at the cursor ends directly before one of `ends` or the end of the text. */
function closesBefore(cursor: Cursor, ends: string): boolean {
  const end = quotedEnd(cursor);
  return end !== null && ends.includes(cursor.text.charAt(end));
}

/** An array literal without another one inside. */
const LITERAL = /\{[^{}]*\}/y;

function readTreeValue(cursor: Cursor): string {
  LITERAL.lastIndex = cursor.at;
  const [literal] = LITERAL.exec(cursor.text) ?? [];
  if (literal === undefined) return readElement(cursor, ',)');
  cursor.at += literal.length;
  skipSpaces(cursor);
  return isAtEnd(cursor) || ',)'.includes(peek(cursor)) ? literal : unexpected(cursor, '"," or ")"');
}
