import { problemFor, reject, type Problem } from '@practice/core';
import { limits } from '../limits.js';
import { tooMany } from '../problems.js';
import { percentEncoded, withCharacter } from './characters.js';

/** One `key=value` of a query string, decoded. */
export interface Parameter {
  readonly key: string;
  readonly value: string;
}

const tooManyParameters = tooMany(`more than ${limits.parameters} parameters`);

/**
 * The parameters of a raw query string, in order; a key without `=` is ignored. The API key, which may be a parameter, is left out.
 * @throws {Rejection} PM400 for too many, PGRST100 for broken percent-encoding, 22021 for NUL or bytes that are not UTF-8
 */
export function parametersOf(query: string): Parameter[] {
  const parameters: Parameter[] = [];
  const all = query.split('&', limits.parameters + 1);
  if (all.length > limits.parameters) reject(tooManyParameters);
  for (const raw of all) {
    const equals = raw.indexOf('=');
    if (equals < 0) continue;
    const key = decoded(raw.slice(0, equals));
    if (key !== 'apikey') parameters.push({ key, value: decoded(raw.slice(equals + 1)) });
  }
  return parameters;
}

/**
 * The parameters sorted by key. As in PostgREST, everything is encoded that RFC 3986 does not call unreserved.
 * Two spellings of the same request have one canonical query.
 */
export const canonicalQueryOf = (parameters: readonly Parameter[]): string =>
  parameters
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ key, value }) => `${percentEncoded(key)}=${percentEncoded(value)}`)
    .join('&');

function decoded(text: string): string {
  const spaced = text.includes('+') ? withCharacter(text, '+', ' ') : text;
  const whole = spaced.includes('%') ? percentDecoded(spaced) : spaced;
  if (whole.includes('\0')) reject(invalidBytes('0x00'));
  return whole.isWellFormed() ? whole : reject(invalidBytes('0xed'));
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    const broken = /%(?![0-9a-f]{2})/i.exec(text);
    return broken === null ? reject(invalidBytes('0xff')) : reject(brokenEncoding(text, broken.index));
  }
}

const invalidBytes = (bytes: string): Problem =>
  problemFor('22021', { message: `invalid byte sequence for encoding "UTF8": ${bytes}` });

const brokenEncoding = (text: string, at: number): Problem =>
  problemFor('PGRST100', {
    message: `"failed to parse query string (${text.slice(0, 200)})" (line 1, column ${at + 1})`,
    details: 'unexpected "%" expecting two hexadecimal digits after it',
  });
