// The call for the events of a practice.

import { commonHeaders, reference } from '@practice/describe';
import type { Operation } from '@practice/describe';

const text = { type: 'string' };

const parameter = (name: string, description: string, schema: object = text): object => ({
  ...{ name, in: 'query', required: false, description },
  schema,
});

const refused = (description: string): object => ({
  description,
  headers: commonHeaders,
  content: { 'application/json': { schema: reference('schemas', 'Problem') } },
});

/** CloudEvents 1.0; docs/asyncapi.json describes the data of each type. */
const event = {
  type: 'object',
  required: ['specversion', 'id', 'source', 'type', 'subject', 'time', 'data', 'therapistid', 'position'],
  properties: {
    ...Object.fromEntries(['id', 'source', 'type', 'subject', 'therapistid'].map((name) => [name, text])),
    specversion: { enum: ['1.0'] },
    time: { type: 'string', format: 'date-time' },
    data: { type: 'object' },
    position: { type: 'integer' },
    streamversion: { type: 'integer' },
  },
};

export const feedOperation: Operation = {
  tags: ['events'],
  summary: 'The events of the practice, in pages or as they happen',
  description:
    'With `Accept: application/json` a page of events, in order for each service and without gaps. With `Accept: text/event-stream` the ' +
    'events as they happen (server-sent events): `id` is the cursor after the event. Each role gets the records and columns that it sees.',
  parameters: [
    parameter(
      'cursor',
      'Where to begin: a cursor of an earlier response, or `now`. Without it, at the beginning.',
    ),
    parameter('limit', 'Events of a page.', {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      default: 100,
    }),
    parameter('wait', 'Seconds to wait for an event if there is no event.', {
      type: 'integer',
      minimum: 0,
      maximum: 60,
      default: 0,
    }),
    parameter('service', 'Only events of these services, separated by commas.'),
    parameter('type', 'Only events of these types, such as `AppointmentScheduled`, separated by commas.'),
    parameter('subject', 'Only events of the record with this id.'),
    {
      ...(parameter(
        'Last-Event-ID',
        'As `cursor`, which it overrides. Browsers send it when they connect again.',
      ) as object),
      in: 'header',
    },
  ],
  responses: {
    200: {
      description: 'A page, or the stream.',
      headers: commonHeaders,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['events', 'cursor', 'more'],
            properties: {
              events: { type: 'array', items: event },
              cursor: { ...text, description: 'Where the next page begins.' },
              more: { type: 'boolean', description: 'Whether there are more events already.' },
            },
          },
        },
        'text/event-stream': { schema: text },
      },
    },
    400: refused('A parameter or the cursor is not valid (`PM400`).'),
    401: refused('No API key (`PM401`), or no valid token (`PGRST301`, `PGRST302`, `PGRST303`).'),
    403: refused(
      'The token lacks a scope (`42501`), or the session still has to pass a second factor (`insufficient_aal`).',
    ),
    406: refused('The `Accept` header accepts neither of the two media types (`PGRST107`).'),
    429: refused('Too many calls, or too many open streams of the member (`PM004`).'),
    503: refused(
      'The events are unavailable for the moment (`PM503`); `Retry-After` contains the seconds to wait.',
    ),
  },
};
