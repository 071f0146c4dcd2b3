// The call that delivers an archive.

import { commonHeaders, reference } from '@practice/describe';
import type { Operation } from '@practice/describe';

const text = { type: 'string' };
const parameter = (name: string, place: 'path' | 'query', description: string): object => ({
  ...{ name, in: place, required: true, description },
  schema: text,
});

const refused = (description: string): object => ({
  description,
  headers: commonHeaders,
  content: { 'application/json': { schema: reference('schemas', 'Problem') } },
});

export const exportOperation: Operation = {
  tags: ['exports'],
  summary: 'The archive of an export',
  description:
    'The link in the response of `rpc/export_practice`. It needs no key and no token, and ends after 24 hours. HEAD returns the size.',
  parameters: [
    parameter('id', 'path', 'The row of `exports`.'),
    parameter('token', 'query', 'The secret of the link.'),
  ],
  responses: {
    200: {
      description: 'The archive.',
      headers: {
        ...commonHeaders,
        'Content-Disposition': { description: 'The name of the file.', schema: text },
      },
      content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
    },
    404: refused('The archive is not complete, or the link has ended or is not valid (`PM404`).'),
    429: refused('Too many calls; `Retry-After` contains the seconds to wait (`PM004`).'),
    503: refused('The identity service or its database is unavailable (`PM503`).'),
  },
};
