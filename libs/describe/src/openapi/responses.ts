// What calls for records answer when all is well; said once for each resource, and once for all where there is no body.

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
  [`${name}.written`]: records(name, 'The records, with `return=representation`.', [
    ...WRITE_HEADERS,
    'Location',
  ]),
});

export const emptyResponses = {
  Counted: { description: 'The records would follow.', headers: headersOf(READ_HEADERS) },
  NotModified: { description: 'Still the version that the caller has.', headers: headersOf(READ_HEADERS) },
  Written: { description: 'Done.', headers: headersOf(WRITE_HEADERS) },
  Refused: { description: 'As for GET, without a body.', headers: headersOf(REFUSAL_HEADERS) },
};

/** A response of these, in words of the operation's own. */
export const response = (name: string, description?: string): object => ({
  ...reference('responses', name),
  ...(description === undefined ? {} : { description }),
});

/** Records in every form that `Accept` can ask for. */
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
