// Sessions of browsers, in cookies that no script can read. A page of another site cannot make one of ours change anything
// with them: `SameSite` keeps them from its requests, and whatever changes something needs a header that a form cannot send.

import type { HttpResponse } from '../http/responses.js';
import type { HttpRequest } from '../http/request.js';
import { ApiKeyRefusal } from './api-key.guard.js';
import { authAnswer } from '../auth/auth-answer.js';
import type { Granted, SessionIssue } from '../auth/session-issue.js';

/** `__Host-`: from this host alone, by TLS (or this machine), for all its paths (RFC 6265bis, 4.1.3.2). */
const ACCESS = '__Host-practice-access';
const REFRESH = '__Host-practice-refresh';
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax';
/** A browser that stays away longer signs in again. */
const REFRESH_SECONDS = 30 * 86_400;

/** Whether a caller wants its session in cookies. */
export function wantsCookies({ headers }: HttpRequest): boolean {
  const { prefer = '' } = headers;
  return String(prefer)
    .split(',')
    .some((one) => one.trim().toLowerCase() === 'session=cookie');
}

/** A new session as the caller wants it: in the body, or in cookies and without its tokens in the body. */
export async function sessionAnswer(
  request: HttpRequest,
  granted: Granted,
  sessions: SessionIssue,
): Promise<HttpResponse> {
  const isByCookie = wantsCookies(request);
  const session = await sessions.issue(granted, isByCookie);
  if (!isByCookie) return authAnswer(session);
  const { access_token: access, refresh_token: refresh, ...told } = session;
  return {
    ...authAnswer(told, { 'Preference-Applied': 'session=cookie' }),
    cookies: [cookie(ACCESS, access, session.expires_in), cookie(REFRESH, refresh, REFRESH_SECONDS)],
  };
}

/** What makes a browser forget its session; nothing for who has none. */
export const clearedCookies = ({ headers }: HttpRequest): Pick<HttpResponse, 'cookies'> =>
  headers.cookie?.includes(ACCESS) === true || headers.cookie?.includes(REFRESH) === true
    ? { cookies: [cookie(ACCESS, '', 0), cookie(REFRESH, '', 0)] }
    : {};

/**
 * The refresh token that a browser keeps, where it asks for a session in cookies.
 * @throws {ApiKeyRefusal} when the call could be another site's form
 */
export function refreshCookieOf(request: HttpRequest): string | undefined {
  const token = wantsCookies(request) ? cookieOf(request, REFRESH) : undefined;
  if (token !== undefined) refuseForms(request);
  return token;
}

/** The `Authorization` header that a browser's cookie stands for; undefined without one. */
export function cookieAuthorization(request: HttpRequest): string | undefined {
  const token = cookieOf(request, ACCESS);
  return token === undefined ? undefined : `Bearer ${token}`;
}

/** @throws {ApiKeyRefusal} when a call by cookie that may change something comes without the header */
export function requireKeyHeader(request: HttpRequest): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') refuseForms(request);
}

/** @throws {ApiKeyRefusal} when a call that changes something could have been made by another site's form or link */
export function refuseForms({ headers }: HttpRequest): void {
  if (headers['apikey'] !== undefined) return;
  throw new ApiKeyRefusal({
    message: 'No API key found in request',
    hint: 'What changes something by cookie needs the `apikey` request header.',
  });
}

const cookie = (name: string, value: string, seconds: number): string =>
  `${name}=${value}; Max-Age=${seconds}; ${ATTRIBUTES}`;

/** Our values need no decoding. */
function cookieOf({ headers }: HttpRequest, name: string): string | undefined {
  const pairs = headers.cookie?.split(';').map((pair) => pair.trim());
  const value = pairs?.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  return value === '' ? undefined : value;
}
