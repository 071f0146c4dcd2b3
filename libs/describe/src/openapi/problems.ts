// Error responses by status. Codes come from PostgREST, Postgres and this product.

import { commonHeaders } from './headers.js';
import { reference, references } from './reference.js';

const nullable = { type: ['string', 'null'] };

export const problemSchemas = {
  Problem: {
    type: 'object',
    description: 'An error of `/rest/v1/`. Clients should branch on `code`.',
    properties: {
      code: { type: 'string', description: '`PGRST…`, an SQLSTATE, or `PM…`.', examples: ['23503'] },
      message: { type: 'string' },
      details: {
        description: 'The value, record or columns that the error is about.',
        type: ['string', 'array', 'object', 'null'],
        items: {},
      },
      hint: { ...nullable, description: 'How to fix the request.' },
    },
    required: ['code', 'message', 'details', 'hint'],
  },
};

const content = { 'application/json': { schema: reference('schemas', 'Problem') } };

const problem = (description: string, ...names: readonly string[]): object => ({
  description,
  headers: { ...commonHeaders, ...references('headers', ['Proxy-Status', 'Server-Timing', ...names]) },
  content,
});

export const problemResponses = {
  Ambiguous: problem('Several relations match: `PGRST201`. `details` lists them.'),
  BadRequest: problem(
    'A parameter or the body cannot be read (`PGRST1…`), a value is malformed (`22…`) or unknown (`42…`, `PGRST204`), a rule is broken (`23502`, `23514`), or a change has no filter (`21000`).',
  ),
  Unauthorized: {
    description:
      'The API key is missing or wrong (`PM401`); the token is missing (`PGRST302`), invalid (`PGRST301`), expired or revoked (`PGRST303`).',
    headers: { ...commonHeaders, ...references('headers', ['WWW-Authenticate', 'Proxy-Status']) },
    content,
  },
  Forbidden: problem('The row belongs to another practice, or the caller does not have the right: `42501`.'),
  NotFound: problem(
    'The operator does not exist for the column’s type: `42883`. The function has other arguments: `PGRST202`. Fewer records than `min-affected`: `PM404`.',
  ),
  MethodNotAllowed: problem(
    'The resource does not support the method: `PGRST117`. A PUT needs the filter `id=eq.…`: `PGRST105`. A function that writes needs POST: `25006`.',
    'Allow',
  ),
  NotAcceptable: problem(
    'The request asked for exactly one record and the result has another number (`PGRST116`), or the format (`PGRST107`) or schema (`PGRST106`) is unknown.',
  ),
  Conflict: problem(
    'A conflict with another record (`23505`, `PM002`, `PM003`), a missing or remaining reference (`23503`), a status change that is not allowed (`PM001`), or an idempotency key of another request (`PM005`).',
  ),
  Changed: problem('The record has changed since it was read: `PM006`. `details` lists the columns.'),
  TooLarge: problem('More than 1 MiB, or more than 1,000 records: `PM413`.'),
  RangeNotSatisfiable: problem(
    'The offset is beyond the last record: `PGRST103`.',
    ...['Content-Range', 'Content-Location', 'Preference-Applied'],
  ),
  TooMany: problem('The rate limit is exceeded: `PM004`.', 'Retry-After'),
  Failed: problem('An error in the server: `XX000`. The hint has the request id.'),
  Away: problem(
    'A service or its database is unavailable: `PM503`. Retry after `Retry-After`, a write with the same `Idempotency-Key` if it had one.',
    'Retry-After',
  ),
  TooSlow: problem(
    'The request took too long, and nothing was written: `57014`. Or the outcome of a write without `Idempotency-Key` is unknown: `PM504`. Check whether it was carried out before you repeat it.',
  ),
  Full: problem(
    'The practice has used its storage, and can still delete, or the disk of the server is full: `PM507`. Reads are answered.',
    'Retry-After',
  ),
} as const;

type ProblemName = keyof typeof problemResponses;

const statuses: Readonly<Record<ProblemName, number>> = {
  Ambiguous: 300,
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  Conflict: 409,
  Changed: 412,
  TooLarge: 413,
  RangeNotSatisfiable: 416,
  TooMany: 429,
  Failed: 500,
  Away: 503,
  TooSlow: 504,
  Full: 507,
};

/** An operation's error responses by status. */
export const refusals = (...names: readonly ProblemName[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [statuses[name], reference('responses', name)]));

/** Errors of every call for records. */
export const anyRefusals: readonly ProblemName[] = [
  'Ambiguous',
  'BadRequest',
  'Unauthorized',
  'Forbidden',
  'NotFound',
  'NotAcceptable',
  'TooMany',
  'Failed',
  'Away',
  'TooSlow',
];
