// Every call beside those for records: its route says method, path and what must be shown, the words are beside it.

import { commonHeaders } from '@practice/describe';
import type { Beside, Call, Operation } from '@practice/describe';
import { accountWords } from './account-calls.js';
import { accountOperation, accountResponses } from './account-operation.js';
import { accountSchemas } from './account-schemas.js';
import { calendarOperation } from './calendar-call.js';
import { broadcastMessage, broadcastMessages } from './broadcast-calls.js';
import { exportOperation } from './export-call.js';
import { feedOperation } from './feed-call.js';
import type { Route } from './routes.js';

/** The parts of the OpenAPI document beside the records. Routes that have no text are left out; a spec finds them. */
export function besideRecords(routes: readonly Route[]): Beside {
  return {
    calls: [...routes.flatMap(callOf), ...documentCalls],
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

function callOf(route: Route): Call[] {
  const { method, path, access } = route;
  const key = `${method} ${path}`;
  const words = accountWords[key];
  const operation = words === undefined ? otherOperations[key] : accountOperation(words, route);
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
  responses: {
    ...Object.fromEntries(
      statuses.map((code) => [code, answer(code === 200 ? 'Yes.' : 'No.', 'application/json', status)]),
    ),
    414: { description: 'The URL is longer than 16 KiB.' },
  },
});

const otherOperations: Readonly<Record<string, Operation>> = {
  'get /calendar/v1/{file}': calendarOperation,
  'get /events/v1': feedOperation,
  'get /exports/v1/{id}': exportOperation,
  'post /realtime/v1/api/broadcast': broadcastMessages,
  'post /realtime/v1/api/broadcast/{topic}/events/{event}': broadcastMessage,
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
  described('/rest/v1', 'key', {
    summary: 'The records in Swagger 2.0, as PostgREST describes them',
    responses: {
      200: answer('The document.', 'application/openapi+json', document),
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
    responses: { 200: answer('The document.', 'application/json', document) },
  }),
];
