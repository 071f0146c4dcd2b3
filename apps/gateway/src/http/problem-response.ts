// A problem as the caller reads it, in the shape of the part of the API that was called.

import { problemBody } from '@practice/core';
import type { Problem } from '@practice/core';
import { JSON_TYPE } from './responses.js';
import type { HttpResponse } from './responses.js';

/** The error shape of the data API: the four keys, and which server it came from. */
export function problemResponse(problem: Problem): HttpResponse & { readonly body: string } {
  return {
    status: problem.status,
    code: problem.code,
    headers: {
      'Content-Type': JSON_TYPE,
      'Proxy-Status': proxyStatus(problem.code),
      ...problem.headers,
    },
    body: problemBody(problem),
  };
}

/** As PostgREST names an error to proxies (RFC 9209). */
export const proxyStatus = (code: string): string => `PostgREST; error=${code}`;

/** Problems of HTTP itself, before anyone has looked at what is asked. */
export const httpProblem = {
  badRequest: { status: 400, code: 'PM400', message: 'The request is not valid HTTP' },
  badUrl: { status: 400, code: 'PM400', message: 'The URL has a malformed percent-encoding' },
  timeout: { status: 408, code: 'PM408', message: 'The request took too long to arrive' },
  bodyTooLarge: { status: 413, code: 'PM413', message: 'The body is larger than 1 MiB' },
  urlTooLong: { status: 414, code: 'PM414', message: 'The URL is longer than 16 KiB' },
  expectation: { status: 417, code: 'PM417', message: 'Only the expectation 100-continue can be met' },
  headersTooLarge: { status: 431, code: 'PM431', message: 'The headers are too large' },
} as const satisfies Record<string, Problem>;

/** More than can be answered in time: refused before anything was done. */
export const overload = {
  status: 503,
  code: 'PM503',
  message: 'The gateway has too much to do',
  headers: { 'Retry-After': '1' },
} as const satisfies Problem;
