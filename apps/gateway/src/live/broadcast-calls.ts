// The calls that broadcast without a socket.

import type { Operation } from '@practice/describe';
import { refused, response } from '../http/operation.js';

const responses = {
  202: response('The broadcast was sent. The channels that are open receive it.'),
  400: refused('The broadcast is malformed (`PM400`).'),
  401: refused('No API key (`PM401`), or no valid token (`PGRST301`, `PGRST302`, `PGRST303`).'),
  403: refused(
    'The token lacks the scope `*:write` (`42501`), or the session still has to pass a second factor (`insufficient_aal`).',
  ),
  413: refused('The broadcast has more than 256 KiB (`PM413`).'),
  429: refused('Too many writes (`PM004`).'),
  503: refused('No process can take the broadcast now (`PM503`).'),
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

const inPath = (parameter: string): object => ({ name: parameter, in: 'path', required: true, schema: name });

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
  parameters: ['topic', 'event'].map(inPath),
  requestBody: {
    required: true,
    content: {
      'application/json': { schema: {} },
      'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
    },
  },
  responses,
};
