// The call that delivers an archive.

import { commonHeaders } from '@practice/describe';
import type { Operation } from '@practice/describe';
import { parameter, refused, response, text } from '../http/operation.js';

export const exportOperation: Operation = {
  tags: ['exports'],
  summary: 'The archive of an export',
  description:
    'The link in the response of `rpc/export_practice`. It needs no key and no token, and ends after 24 hours. HEAD returns the size.',
  parameters: [
    parameter('id', 'path', { description: 'The row of `exports`.' }),
    { ...parameter('token', 'query', { description: 'The secret of the link.' }), required: true },
  ],
  responses: {
    200: {
      ...response('The archive.', { 'application/zip': { ...text, format: 'binary' } }),
      headers: {
        ...commonHeaders,
        'Content-Disposition': { description: 'The name of the file.', schema: text },
      },
    },
    404: refused('The archive is not complete, or the link has ended or is not valid (`PM404`).'),
    429: refused('Too many calls; `Retry-After` contains the seconds to wait (`PM004`).'),
    503: refused('The identity service or its database is unavailable (`PM503`).'),
  },
};
