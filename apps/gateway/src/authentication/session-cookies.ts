// Sets and clears the session cookies of browsers. libs/authentication reads the cookies.

import { ACCESS_COOKIE, cookieOf, REFRESH_COOKIE, refuseForms } from '@practice/authentication';
import type { HttpRequest } from '../http/request.js';
import type { HttpResponse } from '../http/responses.js';

const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax';
/** The lifetime of the refresh cookie. A browser that does not refresh its session for this long has to sign in again. */
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
  // There is no session yet if a sign-up, or the first confirmation of a new address, waits for another mail.
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

/** Cookies that make a browser delete its session cookies; empty if the browser sent no session cookie. */
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
