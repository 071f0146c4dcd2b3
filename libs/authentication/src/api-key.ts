// Checks the API key. The key is public and protects nothing. A call without it does not come from one of our clients.

import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Problem, problemFor, reject } from '@practice/core';
import type { BearerRequest } from './request.js';

// The refusals of API keys, with the messages of Supabase's gateway.

export const KEY_REFUSED = 'PM401';

const refused = (message: string, hint: string): Problem => problemFor(KEY_REFUSED, { message, hint });

const missing = (hint: string): Problem => refused('No API key found in request', hint);

export const missingKey = missing('No `apikey` request header or url param was found.');
export const missingKeyHeader = missing(
  'A call by cookie that changes something needs the `apikey` request header.',
);
export const wrongKey = refused(
  'Invalid API key',
  'Double check your Supabase `anon` or `service_role` API key.',
);
export const severalKeys = refused(
  'Duplicate API key found',
  'Send the API key once, in the `apikey` header.',
);

export class ApiKey {
  private readonly key: Buffer;

  constructor(key: string) {
    this.key = Buffer.from(key);
  }

  /**
   * Requires the API key. @param url the URL with its query, which may have the key instead of the headers
   * @throws {Rejection} PM401 when the key is missing, wrong or sent several times
   */
  require(headers: IncomingHttpHeaders, url: string): void {
    const given = headers['apikey'] ?? keyInQuery(url);
    if (!this.isKey(given)) reject(refusalOf(given));
  }

  /** Whether a value is the key. Compares in constant time. */
  private isKey(given: string | string[] | undefined): boolean {
    if (typeof given !== 'string') return false;
    const bytes = Buffer.from(given);
    return bytes.length === this.key.length && timingSafeEqual(bytes, this.key);
  }
}

function keyInQuery(url: string): string | string[] | undefined {
  const start = url.indexOf('?');
  const keys = new URLSearchParams(start === -1 ? '' : url.slice(start + 1)).getAll('apikey');
  return keys.length > 1 ? keys : keys[0];
}

/** Why a key is refused. Node joins a repeated header with commas, which no key contains. */
function refusalOf(given: string | string[] | undefined): Problem {
  if (given === undefined || given === '') return missingKey;
  return Array.isArray(given) || given.includes(',') ? severalKeys : wrongKey;
}

// Browser sessions in cookies that scripts cannot read. Other sites cannot misuse them: because of `SameSite`, their requests do not
// have the cookies, and every call that changes something needs a header that a form cannot send.

type WithHeaders = Pick<BearerRequest, 'headers'>;

/** `__Host-` limits a cookie to this host and to TLS (or localhost), for all paths (RFC 6265bis, 4.1.3.2). */
export const ACCESS_COOKIE = '__Host-practice-access';
export const REFRESH_COOKIE = '__Host-practice-refresh';

/** The `Authorization` header made from a browser's cookie; undefined without a cookie. */
export function cookieAuthorization(request: WithHeaders): string | undefined {
  const token = cookieOf(request, ACCESS_COOKIE);
  return token === undefined ? undefined : `Bearer ${token}`;
}

/** Requires the `apikey` header in a call by cookie that may change something. @throws {Rejection} when it is missing */
export function requireKeyHeader(request: BearerRequest): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') refuseForms(request);
}

/** Refuses a call that another site's form or link could make. @throws {Rejection} when it lacks the `apikey` header */
export function refuseForms({ headers }: WithHeaders): void {
  if (headers['apikey'] === undefined) reject(missingKeyHeader);
}

/** The value of a cookie. Our values have no characters that need decoding. */
export function cookieOf({ headers }: WithHeaders, name: string): string | undefined {
  const pairs = headers.cookie?.split(';').map((pair) => pair.trim());
  const value = pairs?.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  return value === '' ? undefined : value;
}
