// Gives a browser its session in cookies, and takes them away. libs/authentication reads them.

import { ACCESS_COOKIE, cookieOf, REFRESH_COOKIE, refuseForms } from '@practice/authentication';
import type { HttpRequest } from '../http/request.js';
import type { HttpResponse } from '../http/responses.js';

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

/** A session response with its tokens moved from the body into cookies; any other response as it is. */
export function sessionInCookies(response: HttpResponse & { readonly body: string }): HttpResponse {
  const session = JSON.parse(response.body) as Session | { readonly access_token?: undefined };
  // Without a session: a sign-up, or the first answer to a change of the address, waits for another mail.
  if (session.access_token === undefined) return response;
  const { access_token: access, refresh_token: refresh, ...visible } = session;
  return {
    ...response,
    headers: { ...response.headers, 'Preference-Applied': 'session=cookie' },
    body: JSON.stringify(visible),
    cookies: [
      cookie(ACCESS_COOKIE, access, visible.expires_in),
      cookie(REFRESH_COOKIE, refresh, REFRESH_SECONDS),
    ],
  };
}

/** Makes a browser delete its session cookies; nothing when it has none. */
export function clearedCookies({ headers }: HttpRequest): Pick<HttpResponse, 'cookies'> {
  const names = [ACCESS_COOKIE, REFRESH_COOKIE];
  const hasOne = names.some((name) => headers.cookie?.includes(name) === true);
  return hasOne ? { cookies: names.map((name) => cookie(name, '', 0)) } : {};
}

/**
 * The refresh token in a browser's cookie, if the caller wants its session in cookies.
 * @throws {Rejection} when the call could come from another site's form
 */
export function refreshCookieOf(request: HttpRequest): string | undefined {
  const token = wantsCookies(request) ? cookieOf(request, REFRESH_COOKIE) : undefined;
  if (token !== undefined) refuseForms(request);
  return token;
}

const cookie = (name: string, value: string, seconds: number): string =>
  `${name}=${value}; Max-Age=${seconds}; ${ATTRIBUTES}`;
