// JSON in steps and without loss of digits. `JSON.parse` cannot pause, and makes every number a double. If a double would change a number in
// a row, the row keeps its text instead, which the column's kind parses as Postgres would. If the number is inside a document, it is rejected.

import { problemFor, reject, type Problem } from './problem.js';
import type { Steps } from './process-time.js';

/** The values of one step. */
export const STEP = 1_000;

/** The parts of a text that are kept. The others are only checked. */
export interface Kept {
  /** The nesting of arrays and objects that is permitted. */
  readonly depth: number;
  /** The number of elements of the outermost array. */
  readonly elements?: number;
  /** Whether a row with this many keys gets another one. */
  readonly key?: KeepsKey;
  /** The values that are permitted, with nested ones. */
  readonly values?: number;
  /** Whether the text is one document, without rows. */
  readonly isDocument?: boolean;
  /** Whether a number becomes the nearest double, as with `JSON.parse`. */
  readonly rounds?: boolean;
}

export type KeepsKey = (key: string, count: number) => boolean;

/** The texts of documents in rows. */
const documents = new WeakMap<object, string>();

/** The JSON of a member of a row. A document has the text that was read, since `JSON.stringify` cannot pause. */
export const textOf = (value: unknown): string => documents.get(value as object) ?? JSON.stringify(value);

/**
 * The value of a JSON text. A number that a double would change is its own text, if it is a member of the outermost object or of
 * an object in the outermost array.
 * @throws {SyntaxError} for a text that is not JSON, or has too many levels or values, as its message states
 * @throws {Rejection} 22003 for a number further inside that a double would change, unless the array has too many elements
 */
export const jsonIn = (text: string, kept: Kept): Steps<unknown> => new Reader(text, kept).whole();

/** A string, or a number or a word. */
const SCALAR = /"[^"\\]*(?:\\.[^"\\]*)*"|[-+.\w]+/sy;

class Reader {
  private at = 0;
  private values = 0;
  /** How deep the rows are: the outermost object, or the objects in the outermost array. A document has no rows. */
  private rowDepth = 0;
  private problem: Problem | undefined;

  constructor(
    private readonly text: string,
    private readonly kept: Kept,
  ) {}

  *whole(): Steps<unknown> {
    const opening = this.next();
    this.rowDepth = this.kept.isDocument === true ? -1 : opening === '[' ? 1 : 0;
    const json = isOpening(opening) ? yield* this.nested(0) : this.scalar(false);
    if (this.next() !== '') malformed();
    const isTooLong = Array.isArray(json) && json.length === this.kept.elements;
    return this.problem === undefined || isTooLong ? json : reject(this.problem);
  }

  private nested(depth: number): Steps<object> {
    return this.next() === '[' ? this.array(depth) : this.object(depth);
  }

  private *array(depth: number): Steps<unknown[]> {
    const array: unknown[] = [];
    const most = (depth === 0 ? this.kept.elements : undefined) ?? Infinity;
    for (let more = this.begins(']', depth); more; more = this.goesOn(']')) {
      const element = isOpening(this.next()) ? yield* this.nested(depth + 1) : this.scalar(false);
      if (array.length < most) array.push(element);
      if (this.counted()) yield;
    }
    return array;
  }

  private *object(depth: number): Steps<object> {
    const object = {};
    const isRow = depth === this.rowDepth;
    let count = 0;
    for (let more = this.begins('}', depth); more; more = this.goesOn('}')) {
      const key = this.key();
      const value = isOpening(this.next()) ? yield* this.member(depth + 1, isRow) : this.scalar(isRow);
      if (this.counted()) yield;
      const isNew = isRow && !Object.hasOwn(object, key);
      if (isNew && this.kept.key?.(key, count) === false) continue;
      if (isNew) count += 1;
      setOwn(object, key, value);
    }
    return object;
  }

  private *member(depth: number, isOfRow: boolean): Steps<object> {
    const from = this.at;
    const value = yield* this.nested(depth);
    if (isOfRow) documents.set(value, this.text.slice(from, this.at));
    return value;
  }

  /** Counts a value. @returns whether it is time for a pause. @throws {SyntaxError} if there are too many */
  private counted(): boolean {
    this.values += 1;
    if (this.values > (this.kept.values ?? Infinity))
      malformed(`The body has more than ${this.kept.values} values`);
    return this.values % STEP === 0;
  }

  /** The next character that is not white space; empty at the end. */
  private next(): string {
    let character = this.text.charAt(this.at);
    while (character === ' ' || character === '\n' || character === '\r' || character === '\t') {
      this.at += 1;
      character = this.text.charAt(this.at);
    }
    return character;
  }

  /** Reads an opening bracket. @returns whether a member follows */
  private begins(closing: string, depth: number): boolean {
    this.at += 1;
    if (this.next() !== closing)
      return depth === this.kept.depth ? malformed(`The body has more than ${depth} levels`) : true;
    this.at += 1;
    return false;
  }

  /** Reads a comma or a closing bracket. @returns whether a member follows */
  private goesOn(closing: string): boolean {
    const character = this.next();
    this.at += 1;
    return character === ',' || (character === closing ? false : malformed());
  }

  private key(): string {
    const key: unknown = this.next() === '"' ? this.scalar(false) : malformed();
    if (this.next() !== ':') malformed();
    this.at += 1;
    return key as string;
  }

  private scalar(isOfRow: boolean): unknown {
    this.next();
    SCALAR.lastIndex = this.at;
    const token = SCALAR.exec(this.text)?.[0] ?? malformed();
    this.at += token.length;
    const value = valueOf(token);
    if (this.kept.rounds === true || typeof value !== 'number' || String(value) === token) return value;
    if (isOfRow) return token;
    if (this.problem === undefined && !isHeld(token, value)) this.problem = notHeld(token);
    return value;
  }
}

const isOpening = (character: string): boolean => character === '{' || character === '[';

const malformed = (message = 'The body is not JSON'): never => {
  throw new SyntaxError(message);
};

/** The value of a token. The error of `JSON.parse` would repeat a part of the body. */
function valueOf(token: string): unknown {
  try {
    return JSON.parse(token);
  } catch {
    return malformed();
  }
}

/** Sets a member as `JSON.parse` does, whatever its name is. */
export function setOwn(object: object, key: string, value: unknown): void {
  if (key !== '__proto__') (object as Record<string, unknown>)[key] = value;
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

const isHeld = (token: string, value: number): boolean =>
  SHORT.test(token) || decimalOf(token) === decimalOf(String(value));

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
