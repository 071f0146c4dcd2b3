// The kinds of column. Each entry is complete, so no other code switches on the name of a kind.

import { problemFor } from '@practice/core';
import { invalidSyntax, malformed, parsed, type Kind, type Malformed, type Parsed } from './kind.js';

export { json } from './json-kind.js';
export { date, dates, instant, timeOfDay, timestamp } from './time-kinds.js';

/** Postgres also reads UUIDs without hyphens, with capital letters and in braces. */
const SPELLED_UUID = /^([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/i;
const BRACED = /^\{(.*)\}$/;

export const uuid: Kind<string> = {
  name: 'uuid',
  sqlType: 'uuid',
  pgName: 'uuid',
  expects: 'a UUID such as 01890a5d-ac96-774b-bcce-b302099a8057',
  families: ['equality', 'order'],
  parse: (input) => {
    const match = typeof input === 'string' ? SPELLED_UUID.exec(input.replace(BRACED, '$1')) : null;
    return match === null ? invalidSyntax('uuid', input) : parsed(match.slice(1).join('-').toLowerCase());
  },
  fromText: (text) => text,
  toJson: (value) => `"${value}"`,
  immutableText: (column) => `${column}::text`,
  schema: { type: 'string', format: 'uuid' },
  typescript: 'string',
};

/** Text, NFC-normalised UTF-8 without NUL. */
export const text: Kind<string> = {
  name: 'text',
  sqlType: 'text',
  pgName: 'text',
  expects: 'a text without U+0000',
  families: ['equality', 'order', 'pattern', 'fullText'],
  parse: parseText,
  fromText: (value) => value,
  toJson: (value) => JSON.stringify(value),
  immutableText: (column) => column,
  schema: { type: 'string' },
  typescript: 'string',
};

export const integer: Kind<number> = {
  name: 'integer',
  sqlType: 'integer',
  pgName: 'integer',
  expects: 'a whole number from -2147483648 to 2147483647',
  families: ['equality', 'order'],
  parse: (input) => parseInteger('integer', [-(2 ** 31), 2 ** 31 - 1], input),
  fromText: Number,
  toJson: String,
  immutableText: (column) => `${column}::text`,
  schema: { type: 'integer', format: 'int32' },
  typescript: 'number',
};

/** A position in a log. JavaScript reads it exactly up to 2⁵³. */
export const bigint: Kind<number> = {
  ...integer,
  name: 'bigint',
  sqlType: 'bigint',
  pgName: 'bigint',
  expects: 'a whole number',
  parse: (input) => parseInteger('bigint', [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER], input),
  schema: { type: 'integer', format: 'int64' },
};

export const boolean: Kind<boolean> = {
  name: 'boolean',
  sqlType: 'boolean',
  pgName: 'boolean',
  expects: 'true or false',
  families: ['equality', 'order', 'boolean'],
  parse: parseBoolean,
  fromText: (value) => value === 't' || value === 'true',
  toJson: String,
  immutableText: (column) => `${column}::text`,
  schema: { type: 'boolean' },
  typescript: 'boolean',
};

/** Money and other exact decimals. The canonical value is a decimal string, since a float would not be exact. */
export function decimal(precision: number, scale: number): Kind<string> {
  return {
    name: 'decimal',
    sqlType: `numeric(${precision},${scale})`,
    pgName: 'numeric',
    expects: `a number such as 120.50, of at most ${precision - scale} digits before the point`,
    families: ['equality', 'order'],
    parse: (input) => parseDecimal(input, precision, scale),
    fromText: (value) => value,
    toJson: (value) => value,
    shownOfText: (text) => `(${text})::numeric`,
    immutableText: (column) => `${column}::text`,
    // More digits after the point are rounded, so the schema has only bounds.
    schema: {
      type: 'number',
      exclusiveMinimum: -(10 ** (precision - scale)),
      exclusiveMaximum: 10 ** (precision - scale),
    },
    recorded: { type: 'string', pattern: `^-?\\d+${scale === 0 ? '' : `\\.\\d{${scale}}`}$` },
    typescript: 'number',
  };
}

function parseText(input: unknown): Parsed<string> {
  // Postgres, and so PostgREST, casts any JSON scalar to text. A nested document becomes its JSON text.
  const given = typeof input === 'string' ? input : (JSON.stringify(input) ?? '');
  if (given.includes('\0')) return malformed('22P05', 'unsupported Unicode escape sequence');
  return given.isWellFormed()
    ? parsed(given.normalize('NFC'))
    : malformed('22P05', 'Unicode surrogates must be paired');
}

function parseInteger(type: string, [min, max]: readonly [number, number], input: unknown): Parsed<number> {
  const given = typeof input === 'number' ? String(input) : input;
  if (typeof given !== 'string') return invalidSyntax(type, input);
  const trimmed = given.trim();
  if (!/^[+-]?\d+$/.test(trimmed)) return invalidSyntax(type, input);
  const value = Number(trimmed);
  return value >= min && value <= max
    ? parsed(value === 0 ? 0 : value)
    : malformed('22003', `value "${trimmed.slice(0, 100)}" is out of range for type ${type}`);
}

/** Postgres accepts these words, and each beginning of a word that no other word has. */
const TRUE = /^(?:t(?:r(?:ue?)?)?|y(?:es?)?|on|1)$/;
const FALSE = /^(?:f(?:a(?:l(?:se?)?)?)?|no?|off?|0)$/;

function parseBoolean(input: unknown): Parsed<boolean> {
  // As in Postgres, a number is read as its text: `1` and `0` are among these words.
  const word = typeof input === 'object' ? '' : String(input).trim().toLowerCase();
  if (TRUE.test(word)) return parsed(true);
  return FALSE.test(word) ? parsed(false) : invalidSyntax('boolean', input);
}

/** The error of Postgres for a number that is too large, with the range of the type in its details. */
function overflow(precision: number, scale: number): Malformed {
  const details = `A field with precision ${precision}, scale ${scale} must round to an absolute value less than 10^${precision - scale}.`;
  return { ok: false, problem: problemFor('22003', { message: 'numeric field overflow', details }) };
}

const DECIMAL = /^(?<sign>[+-]?)(?<whole>\d*)(?:\.(?<fraction>\d*))?(?:e(?<exponent>[+-]?\d+))?$/i;

function parseDecimal(input: unknown, precision: number, scale: number): Parsed<string> {
  const parts = decimalParts(typeof input === 'number' ? String(input) : input);
  if (parts === null) return invalidSyntax('numeric', input);
  const value = rounded(parts, scale);
  if (value.replace('.', '').replace(/^0+/, '').length > precision) {
    return overflow(precision, scale);
  }
  return parsed(parts.sign === '-' && /[1-9]/.test(value) ? `-${value}` : value);
}

function decimalParts(given: unknown) {
  const groups = typeof given === 'string' ? DECIMAL.exec(given.trim())?.groups : undefined;
  if (groups === undefined) return null;
  const { sign = '', whole = '', fraction = '', exponent = '0' } = groups;
  return whole + fraction === '' ? null : { sign, whole, fraction, exponent: Number(exponent) };
}

/** A decimal rounded to its scale. A half is rounded away from zero, as in Postgres. */
function rounded(parts: NonNullable<ReturnType<typeof decimalParts>>, scale: number): string {
  const digits = parts.whole + parts.fraction;
  // With an exponent beyond this, the value overflows or is zero, so the exponent can be limited.
  const far = digits.length + 1000;
  const point = parts.whole.length + Math.max(-far, Math.min(far, parts.exponent));
  const padded = point < 0 ? '0'.repeat(-point) + digits : digits.padEnd(point, '0');
  const at = Math.max(point, 0);
  const kept = padded.slice(0, at) + padded.slice(at, at + scale).padEnd(scale, '0');
  const up = (padded[at + scale] ?? '0') >= '5' ? 1n : 0n;
  const units = (BigInt(kept || '0') + up).toString().padStart(scale + 1, '0');
  return scale === 0 ? units : `${units.slice(0, -scale)}.${units.slice(-scale)}`;
}

/** A list of texts: a JSON array, or an array literal of Postgres. */
export const texts: Kind<readonly string[]> = {
  name: 'texts',
  sqlType: 'text[]',
  pgName: 'text[]',
  expects: 'a list of texts: ["a","b"], or {a,b} in a URL',
  families: ['equality', 'order', 'containment', 'array'],
  parse: parseTexts,
  fromText: (text) => fromLiteral(text) ?? [],
  toJson: (value) => JSON.stringify(value),
  immutableText: (column) => `${column}::text`,
  schema: { type: 'array', items: { type: 'string' } },
  typescript: 'string[]',
};

function parseTexts(input: unknown): Parsed<readonly string[]> {
  const list = typeof input === 'string' ? fromLiteral(input) : input;
  const isList =
    Array.isArray(list) &&
    list.every((each) => typeof each === 'string' && !each.includes('\0') && each.isWellFormed());
  return isList ? parsed(list as readonly string[]) : invalidSyntax('text[]', input);
}

/** An element of an array literal, with the comma after it: plain, or in double quotes with backslashes before quotes and backslashes. */
const ELEMENT = /\s*(?:"((?:[^"\\]|\\.)*)"|([^",{}\\\s](?:[^",{}\\]*[^",{}\\\s])?))\s*(?:,|$)/gy;

/** The elements of an array literal such as `{a,"b c"}`; undefined for other texts, and for nested arrays and nulls. */
function fromLiteral(text: string): readonly string[] | undefined {
  const inner = /^\s*\{(.*)\}\s*$/s.exec(text)?.[1]?.trim();
  if (inner === undefined) return undefined;
  if (inner === '') return [];
  const found = [...inner.matchAll(ELEMENT)];
  const isWhole = found.map(([all]) => all).join('') === inner && !inner.endsWith(',');
  if (!isWhole || found.some(([, , plain = '']) => /^null$/i.test(plain))) return undefined;
  return found.map(([, quoted = '', plain]) => plain ?? quoted.replaceAll(/\\(.)/g, '$1'));
}
