// The call for the events of a practice.

import type { Operation } from '@practice/describe';
import { parameter, refused, response, text } from '../http/operation.js';

const whole = (minimum: number, maximum: number, standard: number): object => ({
  ...{ type: 'integer', minimum, maximum },
  default: standard,
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

const page = {
  type: 'object',
  required: ['events', 'cursor', 'more'],
  properties: {
    events: { type: 'array', items: event },
    cursor: { ...text, description: 'Where the next page begins.' },
    more: { type: 'boolean', description: 'Whether there are more events already.' },
  },
};

export const feedOperation: Operation = {
  tags: ['events'],
  summary: 'The events of the practice, in pages or as they happen',
  description:
    'With `Accept: application/json` a page of events, in order for each service and without gaps. With `Accept: text/event-stream` the ' +
    'events as they happen (server-sent events): `id` is the cursor after the event. Each role gets the records and columns that it sees.',
  parameters: [
    parameter('cursor', 'query', {
      description: 'Where to begin: a cursor of an earlier response, or `now`. Without it, at the beginning.',
    }),
    parameter('limit', 'query', { description: 'Events of a page.', schema: whole(1, 1000, 100) }),
    parameter('wait', 'query', {
      description: 'Seconds to wait for an event if there is no event.',
      schema: whole(0, 60, 0),
    }),
    parameter('service', 'query', {
      description: 'Only events of these services, separated by commas.',
    }),
    parameter('type', 'query', {
      description: 'Only events of these types, such as `AppointmentScheduled`, separated by commas.',
    }),
    parameter('subject', 'query', { description: 'Only events of the record with this id.' }),
    parameter('Last-Event-ID', 'header', {
      description: 'As `cursor`, which it overrides. Browsers send it when they connect again.',
    }),
  ],
  responses: {
    200: response('A page, or the stream.', { 'application/json': page, 'text/event-stream': text }),
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
