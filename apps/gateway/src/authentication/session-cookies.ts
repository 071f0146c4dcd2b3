// Browser sessions in cookies that scripts cannot read. Other sites cannot misuse them: `SameSite` keeps the cookies out of
// their requests, and every call that changes something needs a header that a form cannot send.

import { reject } from '@practice/core';
import type { HttpResponse } from '../http/responses.js';
import type { HttpRequest } from '../http/request.js';
import { missingKeyHeader } from './key-problems.js';

/** `__Host-`: for this host only, over TLS (or on this machine), for all paths (RFC 6265bis, 4.1.3.2). */
const ACCESS = '__Host-practice-access';
const REFRESH = '__Host-practice-refresh';
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax';
/** After this time without a request, a browser has to sign in again. */
const REFRESH_SECONDS = 30 * 86_400;

interface Session {
  readonly access_token: string;
  readonly refresh_token: string;
  /** Seconds. */
  readonly expires_in: number;
}

/** Whether a caller wants its session in cookies. */
export function wantsCookies({ headers }: HttpRequest): boolean {
  const { prefer = '' } = headers;
  return String(prefer)
    .split(',')
    .some((one) => one.trim().toLowerCase() === 'session=cookie');
}

/** A session response with its tokens moved from the body into cookies. */
export function sessionInCookies(response: HttpResponse & { readonly body: string }): HttpResponse {
  const { access_token: access, refresh_token: refresh, ...visible } = JSON.parse(response.body) as Session;
  return {
    ...response,
    headers: { ...response.headers, 'Preference-Applied': 'session=cookie' },
    body: JSON.stringify(visible),
    cookies: [cookie(ACCESS, access, visible.expires_in), cookie(REFRESH, refresh, REFRESH_SECONDS)],
  };
}

/** Makes a browser delete its session cookies; nothing when it has none. */
export const clearedCookies = ({ headers }: HttpRequest): Pick<HttpResponse, 'cookies'> =>
  headers.cookie?.includes(ACCESS) === true || headers.cookie?.includes(REFRESH) === true
    ? { cookies: [cookie(ACCESS, '', 0), cookie(REFRESH, '', 0)] }
    : {};

/**
 * The refresh token in a browser's cookie, if the caller wants its session in cookies.
 * @throws {Rejection} when the call could come from another site's form
 */
export function refreshCookieOf(request: HttpRequest): string | undefined {
  const token = wantsCookies(request) ? cookieOf(request, REFRESH) : undefined;
  if (token !== undefined) refuseForms(request);
  return token;
}

/** The `Authorization` header that a browser's cookie stands for; undefined without a cookie. */
export function cookieAuthorization(request: HttpRequest): string | undefined {
  const token = cookieOf(request, ACCESS);
  return token === undefined ? undefined : `Bearer ${token}`;
}

/** @throws {Rejection} when a call by cookie that may change something lacks the `apikey` header */
export function requireKeyHeader(request: HttpRequest): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') refuseForms(request);
}

/** @throws {Rejection} when the call could come from another site's form or link */
export function refuseForms({ headers }: HttpRequest): void {
  if (headers['apikey'] === undefined) reject(missingKeyHeader);
}

const cookie = (name: string, value: string, seconds: number): string =>
  `${name}=${value}; Max-Age=${seconds}; ${ATTRIBUTES}`;

/** The values contain no characters that need decoding. */
function cookieOf({ headers }: HttpRequest, name: string): string | undefined {
  const pairs = headers.cookie?.split(';').map((pair) => pair.trim());
  const value = pairs?.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  return value === '' ? undefined : value;
}
