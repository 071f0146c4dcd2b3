// Every call beside those for records: its route says method, path and what must be shown, the words are beside it.

import { commonHeaders } from '@practice/describe';
import type { Beside, Call, Operation } from '@practice/describe';
import { accountOperation, accountWords } from './account-calls.js';
import { accountSchemas } from './account-schemas.js';
import type { Route } from './routes.js';

/** The parts of the OpenAPI document beside the records. Routes that have no text are left out; a spec finds them. */
export function besideRecords(routes: readonly Route[]): Beside {
  return {
    calls: [...routes.flatMap(callOf), ...documentCalls],
    tags: [
      { name: 'accounts', description: 'Sign-up, sign-in and sessions, as `supabase.auth` calls them.' },
      { name: 'descriptions', description: 'The description and the health of the API.' },
    ],
    schemas: accountSchemas,
  };
}

function callOf(route: Route): Call[] {
  const { method, path, access } = route;
  const key = `${method} ${path}`;
  const words = accountWords[key];
  const operation = words === undefined ? healthOperations[key] : accountOperation(words, route);
  return operation === undefined ? [] : [{ method, path, access, operation }];
}

const answer = (description: string, media: string, schema: object): object => ({
  description,
  headers: commonHeaders,
  content: { [media]: { schema } },
});

const status = {
  type: 'object',
  properties: { status: { enum: ['ok', 'unavailable'] } },
  required: ['status'],
};

const probe = (summary: string, ...statuses: readonly number[]): Operation => ({
  tags: ['descriptions'],
  summary,
  responses: Object.fromEntries(
    statuses.map((code) => [code, answer(code === 200 ? 'Yes.' : 'No.', 'application/json', status)]),
  ),
});

const healthOperations: Readonly<Record<string, Operation>> = {
  'get /livez': probe('Whether the process runs', 200),
  'get /readyz': probe('Whether it can answer', 200, 503),
};

const document = { type: 'object' };

const described = (path: string, access: Call['access'], operation: Operation): Call => ({
  method: 'get',
  path,
  access,
  operation: { tags: ['descriptions'], ...operation },
});

/** Their routes take every method, to refuse all but reads. */
export const documentCalls: readonly Call[] = [
  described('/rest/v1/', 'key', {
    summary: 'The records in Swagger 2.0, as PostgREST describes them',
    responses: {
      200: answer('The document.', 'application/openapi+json', document),
      406: { $ref: '#/components/responses/NotAcceptable' },
    },
  }),
  described('/rest/v1/openapi.json', 'key', {
    summary: 'This document',
    responses: { 200: answer('The document.', 'application/json', document) },
  }),
];
