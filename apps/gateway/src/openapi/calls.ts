// Every call beside those for records: its route says method, path and what must be shown, the words are beside it.

import type { Beside, Call, Operation } from '@practice/describe';
import { accountResponses } from '../accounts/account-operation.js';
import { accountSchemas } from '../accounts/account-schemas.js';
import { response } from '../http/operation.js';
import type { Route } from './routes.js';

/** The parts of the OpenAPI document beside the records. Routes without a description are left out; a spec finds them. */
export function besideRecords(routes: readonly Route[]): Beside {
  return {
    calls: [
      ...routes.flatMap(({ operation, ...route }) =>
        operation === undefined ? [] : [{ ...route, operation }],
      ),
      ...documentCalls,
    ],
    tags: [
      { name: 'accounts', description: 'Sign-up, sign-in and sessions, as `supabase.auth` calls them.' },
      { name: 'events', description: 'Everything that happens in the practice.' },
      {
        name: 'realtime',
        description: 'Broadcasts to channels; the rest of realtime is a WebSocket, as supabase-js opens it.',
      },
      { name: 'calendars', description: 'Appointments for calendar programs.' },
      { name: 'descriptions', description: 'The description and the health of the API.' },
    ],
    schemas: accountSchemas,
    responses: accountResponses,
  };
}

const document = { type: 'object' };

const described = (path: string, access: Call['access'], operation: Operation): Call => ({
  method: 'get',
  path,
  access,
  operation: { tags: ['descriptions'], ...operation },
});

/** Their routes take every method, to refuse all but reads. */
export const documentCalls: readonly Call[] = [
  described('/rest/v1', 'key', {
    summary: 'The records in Swagger 2.0, as PostgREST describes them',
    responses: {
      200: response('The document.', { 'application/openapi+json': document }),
      406: { $ref: '#/components/responses/NotAcceptable' },
    },
  }),
  described('/rest/v1/openapi.json', 'key', {
    summary: 'This document',
    description:
      'With `compact`: records and functions only, for readers of little context such as language models.',
    parameters: [
      { name: 'compact', in: 'query', allowEmptyValue: true, schema: { type: 'string', enum: ['', 'true'] } },
    ],
    responses: { 200: response('The document.', { 'application/json': document }) },
  }),
];
