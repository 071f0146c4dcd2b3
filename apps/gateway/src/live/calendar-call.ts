// The call that delivers a calendar.

import { commonHeaders } from '@practice/describe';
import type { Operation } from '@practice/describe';
import { parameter, refused, response, text } from '../http/operation.js';

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
