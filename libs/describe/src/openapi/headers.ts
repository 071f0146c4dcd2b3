// The headers of answers, by name.

import { references } from './reference.js';

const header = (description: string, schema: object = { type: 'string' }): object => ({
  description,
  schema,
});

const count = { type: 'integer', minimum: 0 };

export const headers: Readonly<Record<string, object>> = {
  'X-Request-Id': header('Names the request to us.'),
  'Api-Version': header('The version that `/v1` stands for.', { const: '1' }),
  'RateLimit-Limit': header('Requests a minute; absent where there is no limit, as are the others.', count),
  'RateLimit-Remaining': header('Of those, what is left.', count),
  'RateLimit-Reset': header('Seconds until it begins anew.', count),
  RateLimit: header('The same as the IETF’s draft has it.'),
  'RateLimit-Policy': header('The limit as the IETF’s draft has it.'),
  'Retry-After': header('Seconds to wait.', count),
  'Content-Range': header('`first-last/total`; `*` for a total that was not asked for.', {
    type: 'string',
    pattern: '^(\\d+-\\d+|\\*)/(\\d+|\\*)$',
  }),
  'Content-Location': header('The request, its parameters sorted.'),
  Location: header('The new record, where there is one: `/clients?id=eq.…`.'),
  ETag: header('The version of the one record that was asked for by its id.', {
    type: 'string',
    pattern: '^"\\d+"$',
  }),
  Link: header('Where to go on, when 1,000 records were not all: `<…>; rel="next"`.'),
  'Preference-Applied': header('Which of the preferences were met.'),
  'Idempotency-Replayed': header('This is the first answer again.', { const: 'true' }),
  'WWW-Authenticate': header('What is missing, or why it is not believed.'),
  'Proxy-Status': header('The code, for proxies.'),
  'X-Sb-Error-Code': header('The code of a call for an account.'),
  'X-Supabase-Api-Version': header('Which shape of problems the caller asked for.'),
  'Set-Cookie': header('The session, where it was asked for in cookies.'),
  Allow: header('The methods that there are.'),
};

/** Those that every answer has. */
export const commonHeaders = references('headers', [
  'X-Request-Id',
  'Api-Version',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
]);
