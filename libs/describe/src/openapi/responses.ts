// Successful responses: one set for each resource, and shared ones without a body.

import type { Resource } from '@practice/resource';
import { commonHeaders } from './headers.js';
import { reference, references } from './reference.js';

const READ_HEADERS = ['Content-Range', 'Content-Location', 'Preference-Applied', 'ETag', 'Link'];
const WRITE_HEADERS = ['Content-Range', 'Preference-Applied', 'Idempotency-Replayed', 'ETag'];
const REFUSAL_HEADERS = ['Proxy-Status', 'WWW-Authenticate', 'Retry-After', 'Content-Range'];

const headersOf = (names: readonly string[]): object => ({
  ...commonHeaders,
  ...references('headers', names),
});

/** `clients.read` and `clients.written`. */
export const responsesOf = ({ name }: Resource): Record<string, object> => ({
  [`${name}.read`]: records(name, 'The records.', READ_HEADERS),
  [`${name}.written`]: records(name, 'With `return=representation`: the records.', [
    ...WRITE_HEADERS,
    'Location',
  ]),
});

export const emptyResponses = {
  Counted: { description: 'GET would return all the records.', headers: headersOf(READ_HEADERS) },
  NotModified: { description: 'The record has not changed.', headers: headersOf(READ_HEADERS) },
  Written: { description: 'Done.', headers: headersOf(WRITE_HEADERS) },
  Refused: { description: 'The error of GET, without a body.', headers: headersOf(REFUSAL_HEADERS) },
};

/** A reference to one of these responses, with the operation's own description. */
export const response = (name: string, description?: string): object => ({
  ...reference('responses', name),
  ...(description === undefined ? {} : { description }),
});

/** Records in every format of `Accept`. */
function records(name: string, description: string, headers: readonly string[]): object {
  const record = { anyOf: [reference('schemas', name), reference('schemas', 'Selected')] };
  const stripped = reference('schemas', 'Selected');
  return {
    description,
    headers: headersOf(headers),
    content: {
      'application/json': { schema: { type: 'array', items: record } },
      'application/vnd.pgrst.object+json': { schema: record },
      'application/vnd.pgrst.array+json;nulls=stripped': { schema: { type: 'array', items: stripped } },
      'application/vnd.pgrst.object+json;nulls=stripped': { schema: stripped },
      'text/csv': { schema: { type: 'string' } },
    },
  };
}
