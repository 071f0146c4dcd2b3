// Response headers by name.

import { reference } from './document.js';

const header = (description: string, schema: object = { type: 'string' }): object => ({
  description,
  schema,
});

const count = { type: 'integer', minimum: 0 };

export const headers: Readonly<Record<string, object>> = {
  'X-Request-Id': header('The request id.'),
  'Api-Version': header('The version of the API.', { const: '1' }),
  'RateLimit-Limit': header('Requests per minute. The four headers are absent if there is no limit.', count),
  'RateLimit-Remaining': header('Requests that are left.', count),
  'RateLimit-Reset': header('Seconds until the limit is full again.', count),
  RateLimit: header('The same in the format of the IETF draft.'),
  'RateLimit-Policy': header('The limit in the format of the IETF draft.'),
  'Retry-After': header('Seconds to wait.', count),
  'Content-Range': header('`first-last/total`; the total is `*` unless `count` was requested.', {
    type: 'string',
    pattern: '^(\\d+-\\d+|\\*)/(\\d+|\\*)$',
  }),
  'Content-Location': header('The request with sorted parameters.'),
  Location: header('The new record if there is exactly one: `/clients?id=eq.…`.'),
  ETag: header('The version of the record in a request by id.', {
    type: 'string',
    pattern: '^"\\d+"$',
  }),
  Link: header('The next page, by cursor or if there are more than 1,000 records: `<…>; rel="next"`.'),
  'Preference-Applied': header('The preferences that were applied, with the instant of a past state.'),
  'Server-Timing': header('Durations in milliseconds, with `Prefer: metrics=timings`.'),
  'Memento-Datetime': header('The instant of a past state, to the second.'),
  'Idempotency-Replayed': header('This is a repeated response.', { const: 'true' }),
  'Change-Id': header('The changes that the write has made; absent if it changed nothing.', {
    type: 'string',
    pattern: '^[a-z-]+:\\d+(, [a-z-]+:\\d+)*$',
  }),
  'WWW-Authenticate': header('The credential that is missing, or why it was rejected.'),
  'Proxy-Status': header('The code, for proxies.'),
  'X-Sb-Error-Code': header('The error code of a call to `/auth/v1`.'),
  'X-Supabase-Api-Version': header('The error format that the caller requested.'),
  'Set-Cookie': header('The session, if the caller requested cookies.'),
  Allow: header('The supported methods.'),
};

const named = (names: readonly string[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, reference('headers', name)]));

/** Headers of every response. */
export const commonHeaders = named([
  'X-Request-Id',
  'Api-Version',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
]);

/** The headers of every response, and further ones. */
export const headersOf = (names: readonly string[]): object => ({
  ...commonHeaders,
  ...named(names),
});
