// JSON without loss of digits. `JSON.parse` makes every number a double. If a double would change a number in a row, the row keeps its
// text instead, which the column's kind parses as Postgres would. If the number is inside a document, it is rejected.

import { randomUUID } from 'node:crypto';
import { problemFor, reject } from '@practice/core';

/** The beginning of a string that stands for a number. It is random, so no request can contain it. */
const MARK = `\u0001${randomUUID()}:`;

/**
 * The value of a JSON text. A number that a double would change is its own text, if it is a member of the outermost object or of
 * an object in the outermost array.
 * @param json the result of `JSON.parse`, of limited depth
 * @throws {Rejection} 22003 for a number further inside that a double would change
 */
export function withExactNumbers(json: unknown, text: string): unknown {
  if (!mayLose(text)) return json;
  const marked: unknown = JSON.parse(withMarks(text));
  return Array.isArray(marked) ? marked.map(unmarkedRow) : unmarkedRow(marked);
}

/**
 * Whether the text may have a number that a double would change: with an exponent, many digits, a trailing zero, or minus zero.
 * Ids and dates look similar but follow a quote.
 */
const mayLose = (text: string): boolean =>
  /(?:^|[[:,\s])(?:-0|-?[\d.]*(?:\d[eE]|\d(?:\.?\d){15}|\.\d*0(?!\d)))/.test(text);

const NUMBER = /-?\d[\d.eE+-]*/y;

/** The text with a string in place of each number that `JSON.parse` would change. Strings are skipped. */
function withMarks(text: string): string {
  let marked = '';
  let done = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') at = endOfString(text, at);
    else if (character === '-' || (character >= '0' && character <= '9')) {
      NUMBER.lastIndex = at;
      const number = NUMBER.exec(text)?.[0] ?? character;
      if (String(Number(number)) !== number) {
        marked += `${text.slice(done, at)}${JSON.stringify(MARK + number)}`;
        done = at + number.length;
      }
      at += number.length - 1;
    }
  }
  return marked + text.slice(done);
}

/** The index of the quote that closes the string that opens at `from`. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1;
  return at;
}

function unmarkedRow(row: unknown): unknown {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return unmarked(row);
  return Object.fromEntries(
    Object.entries(row).map(([key, value]: [string, unknown]) => [key, numberIn(value) ?? unmarked(value)]),
  );
}

const numberIn = (value: unknown): string | null =>
  typeof value === 'string' && value.startsWith(MARK) ? value.slice(MARK.length) : null;

/** A value inside a document. A number that a double would change is rejected. */
function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, unmarked(member)]));
  const text = numberIn(value);
  if (text === null) return value;
  const isHeld = SHORT.test(text) || decimalOf(text) === decimalOf(String(Number(text)));
  return isHeld ? Number(text) : reject(notHeld(text));
}

/** A double has all numbers of 15 digits, unless their exponent is large. A document may have many of them. */
const SHORT = /^-?[\d.]{1,15}(?:[eE][+-]?\d{1,2})?$/;

/** A canonical form of a number: its digits without leading and trailing zeros, and its exponent. */
function decimalOf(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  // A run of zeros is tried once, from its first one.
  const kept = digits.replace(/(?<!0)0+$/, '');
  if (kept === '') return '0';
  const place = Number(exponent) - fraction.length + digits.length - kept.length;
  return `${mantissa.startsWith('-') ? '-' : ''}${kept}e${place}`;
}

const notHeld = (text: string) =>
  problemFor('22003', {
    message: `"${text.slice(0, 100)}" is out of range for type double precision`,
    hint: 'Numbers inside a JSON document are doubles; send this one as text.',
  });
