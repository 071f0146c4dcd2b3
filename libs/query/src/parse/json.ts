// JSON whose numbers lose nothing. `JSON.parse` makes a double of each: the member of a row keeps its own text instead, which
// its column's kind reads as Postgres would; a number deep inside a document is refused where a double is another one.

import { randomUUID } from 'node:crypto';
import { reject } from '@practice/core';

/** Begins a string that stands for a number; nobody outside this process can write one. */
const MARK = `\u0001${randomUUID()}:`;

/**
 * The value of a JSON text, where a member of the outermost object, or of one in the outermost array, that is a number whose
 * text a double would not give back is that text.
 * @param json what `JSON.parse` makes of the text; not too deep to be walked
 * @throws {Rejection} 22003 for a number further inside that no double holds
 */
export function withExactNumbers(json: unknown, text: string): unknown {
  if (!mayLose(text)) return json;
  const marked: unknown = JSON.parse(withMarks(text));
  return Array.isArray(marked) ? marked.map(unmarkedRow) : unmarkedRow(marked);
}

/**
 * Whether there might be such a number: one with an exponent, many digits, a zero at its end, or minus zero. Numbers stand behind
 * what these begin with; ids and dates, which look like them, behind quotes.
 */
const mayLose = (text: string): boolean =>
  /(?:^|[[:,\s])(?:-0|-?[\d.]*(?:\d[eE]|\d(?:\.?\d){15}|\.\d*0(?!\d)))/.test(text);

const NUMBER = /-?\d[\d.eE+-]*/y;

/** The text with a string in place of each number that `JSON.parse` would change; strings are stepped over. */
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

/** Where the quote stands that closes the string which opens here. */
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

/** Within a document a number is a double, or refused. */
function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, unmarked(member)]));
  const text = numberIn(value);
  if (text === null) return value;
  return decimalOf(text) === decimalOf(String(Number(text))) ? Number(text) : reject(notHeld(text));
}

/** A number in one way of many: its digits without zeros around them, and where the point stands. */
function decimalOf(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  if (kept === '') return '0';
  const place = Number(exponent) - fraction.length + digits.length - kept.length;
  return `${mantissa.startsWith('-') ? '-' : ''}${kept}e${place}`;
}

const notHeld = (text: string) => ({
  status: 400,
  code: '22003',
  message: `"${text.slice(0, 100)}" is out of range for type double precision`,
  hint: 'Numbers inside a JSON document are doubles; send this one as text.',
});
