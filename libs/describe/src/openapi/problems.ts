// Error responses by status, with the codes of the catalogue.

import { errorRows, statusesOf } from '@practice/core';
import { headersOf } from './headers.js';
import { reference } from './document.js';

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
      hint: { type: ['string', 'null'], description: 'How to fix the request.' },
    },
    required: ['code', 'message', 'details', 'hint'],
  },
};

/** The error statuses of requests for records, each with a meaning that fits all of its codes, and the headers of its responses. */
const statuses = {
  Ambiguous: { status: 300, meaning: 'Several relations match.' },
  BadRequest: { status: 400, meaning: 'A parameter or the body cannot be read, or a rule is broken.' },
  Unauthorized: { status: 401, meaning: 'The API key or the token is missing or not accepted.' },
  Forbidden: { status: 403, meaning: 'The caller does not have the right.' },
  NotFound: {
    status: 404,
    meaning: 'The path, or a record, function or link in the request, does not exist.',
  },
  MethodNotAllowed: { status: 405, meaning: 'The path does not support the method.', headers: ['Allow'] },
  NotAcceptable: { status: 406, meaning: 'The response that the request asks for is not possible.' },
  Conflict: {
    status: 409,
    meaning: 'A conflict with another record, another request, or the state of the record.',
  },
  Changed: { status: 412, meaning: 'The record has changed since it was read. `details` lists the columns.' },
  TooLarge: { status: 413, meaning: 'More than 1 MiB, or more than 1,000 records.' },
  RangeNotSatisfiable: {
    status: 416,
    meaning: 'The offset is beyond the last record.',
    headers: ['Content-Range', 'Content-Location', 'Preference-Applied'],
  },
  TooMany: { status: 429, meaning: 'The rate limit is exceeded.', headers: ['Retry-After'] },
  Failed: { status: 500, meaning: 'An error in the server. The hint has the request id.' },
  Away: {
    status: 503,
    meaning:
      'A service or its database is unavailable. Retry after `Retry-After`, a write with the same `Idempotency-Key` if it had one.',
    headers: ['Retry-After'],
  },
  TooSlow: {
    status: 504,
    meaning:
      'The request took too long, and nothing was written; or the outcome of a write without `Idempotency-Key` is unknown.',
  },
  Full: {
    status: 507,
    meaning:
      'The practice has used its storage, and can still delete, or the disk of the server is full. Reads are answered.',
    headers: ['Retry-After'],
  },
} as const satisfies Readonly<Record<string, Status>>;

interface Status {
  readonly status: number;
  readonly meaning: string;
  readonly headers?: readonly string[];
}

type ProblemName = keyof typeof statuses;

/** The codes of a status, as a list in Markdown. */
const codesOf = (status: number): string =>
  errorRows
    .filter(([, row]) => statusesOf(row).includes(status))
    .map(([code, { message, occurs }]) => `- \`${code}\`: ${message} (${occurs})`)
    .join('\n');

function responseOf(name: ProblemName): object {
  const { status, meaning, headers = [] }: Status = statuses[name];
  // A request that is refused before the caller is known has no `Server-Timing`.
  const names = status === 401 ? ['WWW-Authenticate', 'Proxy-Status'] : ['Proxy-Status', 'Server-Timing'];
  return {
    description: `${meaning}\n\n${codesOf(status)}`,
    headers: headersOf([...names, ...headers]),
    content: { 'application/json': { schema: reference('schemas', 'Problem') } },
  };
}

const problemNames = Object.keys(statuses) as ProblemName[];

export const problemResponses = Object.fromEntries(problemNames.map((name) => [name, responseOf(name)]));

/** An operation's error responses by status. */
export const refusals = (...names: readonly ProblemName[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [statuses[name].status, reference('responses', name)]));

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
