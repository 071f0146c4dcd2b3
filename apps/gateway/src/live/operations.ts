// The call for the events of a practice.

import { envelopeSchema } from '@practice/bus';
import { commonHeaders, type Operation } from '@practice/describe';
import { parameter, refused, response, text } from '../http/endpoint.js';

const whole = (minimum: number, maximum: number, standard: number): object => ({
  ...{ type: 'integer', minimum, maximum },
  default: standard,
});

/**
 * An event. Where columns are hidden, it has no `streamversion`, which would show that they have changed. docs/asyncapi.json
 * describes the data of each type.
 */
const event = {
  ...envelopeSchema,
  required: envelopeSchema.required.filter((name) => name !== 'streamversion'),
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

// The call that delivers a calendar.

const headers = {
  ...commonHeaders,
  ETag: { description: 'Changes with the calendar.', schema: text },
};

export const calendarOperation: Operation = {
  tags: ['calendars'],
  summary: 'The appointments as a calendar',
  description:
    'The link in the response of `rpc/create_calendar_link`. It needs no key and no token. The calendar (RFC 5545) has the appointments from 90 days back to a year ahead.',
  parameters: [
    parameter('file', 'path', { description: 'The secret of the link, and `.ics`.' }),
    parameter('If-None-Match', 'header', {
      description: 'The `ETag` of an earlier response: 304 while nothing has changed.',
    }),
  ],
  responses: {
    200: { ...response('The calendar.', { 'text/calendar': text }), headers },
    304: { description: 'The calendar has not changed.', headers },
    404: refused('The link was revoked, has ended or is not valid (`PM404`).'),
    429: refused('Too many calls; `Retry-After` contains the seconds to wait (`PM004`).'),
    503: refused('A service or its database is unavailable (`PM503`).'),
  },
};

// The calls that broadcast without a socket.

const responses = {
  202: response('The broadcast was sent. The channels that are open receive it.'),
  400: refused('The broadcast is malformed (`PM400`).'),
  403: refused(
    'The token lacks the scope `*:write` (`42501`), or the session still has to pass a second factor (`insufficient_aal`).',
  ),
  413: refused('The broadcast has more than 256 KiB (`PM413`).'),
  429: refused('Too many writes (`PM004`).'),
  503: refused('No process can take the broadcast now (`PM503`).'),
  504: refused('It is unknown whether the broadcast was sent (`PM504`).'),
};

const name = { type: 'string', minLength: 1, maxLength: 200 };

const message = {
  type: 'object',
  required: ['topic', 'event', 'payload'],
  properties: {
    topic: { ...name, description: 'The name of the channel.' },
    event: { type: 'string', minLength: 1 },
    payload: { type: 'object' },
    private: { type: 'boolean', description: 'Has no effect: every channel belongs to one practice.' },
  },
};

/** `POST /realtime/v1/api/broadcast` */
export const broadcastMessages: Operation = {
  tags: ['realtime'],
  summary: 'Broadcast messages to channels of the practice',
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['messages'],
          properties: { messages: { type: 'array', maxItems: 100, items: message } },
        },
      },
    },
  },
  responses,
};

/** `POST /realtime/v1/api/broadcast/{topic}/events/{event}` */
export const broadcastMessage: Operation = {
  tags: ['realtime'],
  summary: 'Broadcast one message to a channel of the practice',
  parameters: ['topic', 'event'].map((part) => parameter(part, 'path', { schema: name })),
  requestBody: {
    required: true,
    content: {
      'application/json': { schema: {} },
      'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
    },
  },
  responses,
};
