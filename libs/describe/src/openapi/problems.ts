// What the API refuses, by status: the codes are those of PostgREST, Postgres and this product.

import { commonHeaders } from './headers.js';
import { reference, references } from './reference.js';

const nullable = { type: ['string', 'null'] };

export const problemSchemas = {
  Problem: {
    type: 'object',
    description: 'Why a call for records was refused. Callers should branch on `code`.',
    properties: {
      code: { type: 'string', description: '`PGRST…`, an SQLSTATE, or `PM…`.', examples: ['23503'] },
      message: { type: 'string' },
      details: { description: 'What exactly.', type: ['string', 'array', 'object', 'null'] },
      hint: { ...nullable, description: 'What to do about it.' },
    },
    required: ['code', 'message', 'details', 'hint'],
  },
  KeyRefusal: {
    type: 'object',
    description: 'The project’s key is missing or wrong.',
    properties: { message: { type: 'string' }, hint: { type: 'string' } },
    required: ['message'],
  },
};

const content = (...schemas: readonly string[]): object => {
  const refs = schemas.map((name) => reference('schemas', name));
  return { 'application/json': { schema: refs.length === 1 ? refs[0] : { anyOf: refs } } };
};

const problem = (description: string, ...names: readonly string[]): object => ({
  description,
  headers: { ...commonHeaders, ...references('headers', ['Proxy-Status', ...names]) },
  content: content('Problem'),
});

export const problemResponses = {
  Ambiguous: problem('Several relations fit: `PGRST201`, `details` names them.'),
  BadRequest: problem(
    'A parameter or the body cannot be read (`PGRST1…`), a value is malformed (`22…`) or unknown (`42…`, `PGRST204`), a rule is broken (`23502`, `23514`), or a change has no filter (`21000`).',
  ),
  Unauthorized: {
    description:
      'The key is missing or wrong; the token is missing (`PGRST302`), not believed (`PGRST301`) or has ended (`PGRST303`).',
    headers: { ...commonHeaders, ...references('headers', ['WWW-Authenticate', 'Proxy-Status']) },
    content: content('Problem', 'KeyRefusal'),
  },
  Forbidden: problem('Another practice is named: `42501`.'),
  NotFound: problem(
    'The column’s type has no such operator: `42883`. Fewer records than `min-affected`: `PM404`.',
  ),
  MethodNotAllowed: problem(
    'The resource does not have the method: `PGRST117`; a PUT not by id: `PGRST105`.',
    'Allow',
  ),
  NotAcceptable: problem(
    'One record was wanted and another number found (`PGRST116`), no such format (`PGRST107`) or schema (`PGRST106`).',
  ),
  Conflict: problem(
    'Another record is in the way (`23505`, `PM002`, `PM003`), is missing or still refers (`23503`), the status does not change so (`PM001`), or the key was used for another request (`PM005`).',
  ),
  Changed: problem('The record has changed since: `PM006`, `details` lists what.'),
  TooLarge: problem('More than 1 MiB, or more than 1,000 records: `PM413`.'),
  RangeNotSatisfiable: problem('No such page: `PGRST103`.', 'Content-Range'),
  TooMany: problem('The limit is used up: `PM004`.', 'Retry-After'),
  Failed: problem('Our fault: `XX000`; the hint has the request’s id.'),
  Away: problem(
    'A service or its database is away: `PM503`. Reads may be tried again, writes with their `Idempotency-Key`.',
    'Retry-After',
  ),
  TooSlow: problem('It took too long: `57014`.'),
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
};

/** Responses by status, as an operation has them. */
export const refusals = (...names: readonly ProblemName[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [statuses[name], reference('responses', name)]));

/** What may be said to any call for records. */
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
