// A problem as the caller reads it, in the shape of the part of the API that was called.

import { problemBody, problemFor } from '@practice/core';
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
  badRequest: problemFor('PM400', { message: 'The request is not valid HTTP' }),
  badUrl: problemFor('PM400', { message: 'The URL has a malformed percent-encoding' }),
  timeout: problemFor('PM408'),
  bodyTooLarge: problemFor('PM413', { message: 'The body is larger than 1 MiB' }),
  urlTooLong: problemFor('PM414'),
  expectation: problemFor('PM417'),
  headersTooLarge: problemFor('PM431'),
} as const satisfies Record<string, Problem>;
