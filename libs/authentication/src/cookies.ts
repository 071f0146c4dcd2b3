// Browser sessions in cookies that scripts cannot read. Other sites cannot misuse them: `SameSite` keeps the cookies out of
// their requests, and every call that changes something needs a header that a form cannot send.

import { reject } from '@practice/core';
import type { BearerRequest } from './request.js';
import { missingKeyHeader } from './key-problems.js';

type WithHeaders = Pick<BearerRequest, 'headers'>;

/** `__Host-`: for this host only, over TLS (or on this machine), for all paths (RFC 6265bis, 4.1.3.2). */
export const ACCESS_COOKIE = '__Host-practice-access';
export const REFRESH_COOKIE = '__Host-practice-refresh';

/** The `Authorization` header that a browser's cookie stands for; undefined without a cookie. */
export function cookieAuthorization(request: WithHeaders): string | undefined {
  const token = cookieOf(request, ACCESS_COOKIE);
  return token === undefined ? undefined : `Bearer ${token}`;
}

/** @throws {Rejection} when a call by cookie that may change something lacks the `apikey` header */
export function requireKeyHeader(request: BearerRequest): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') refuseForms(request);
}

/** @throws {Rejection} when the call could come from another site's form or link */
export function refuseForms({ headers }: WithHeaders): void {
  if (headers['apikey'] === undefined) reject(missingKeyHeader);
}

/** The value of a cookie. The values contain no characters that need decoding. */
export function cookieOf({ headers }: WithHeaders, name: string): string | undefined {
  const pairs = headers.cookie?.split(';').map((pair) => pair.trim());
  const value = pairs?.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  return value === '' ? undefined : value;
}
