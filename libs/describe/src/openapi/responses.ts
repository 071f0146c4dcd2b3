// Successful responses: one set for each resource, and shared ones without a body.

import type { Resource } from '@practice/resource';
import { headersOf } from './headers.js';
import { componentOf } from '../subject.js';
import { reference } from './document.js';

export const READ_HEADERS = [
  'Content-Range',
  'Content-Location',
  'Preference-Applied',
  'ETag',
  'Link',
  'Memento-Datetime',
  'Server-Timing',
];
const WRITE_HEADERS = [
  'Content-Range',
  'Preference-Applied',
  'Idempotency-Replayed',
  'Change-Id',
  'ETag',
  'Server-Timing',
];
const REFUSAL_HEADERS = ['Proxy-Status', 'WWW-Authenticate', 'Retry-After', 'Content-Range', 'Server-Timing'];

/** The responses of a resource: `clients.read`, and also `clients.written` if callers can write or delete. */
export const responsesOf = (resource: Resource): Record<string, object> => ({
  [`${componentOf(resource)}.read`]: records(componentOf(resource), 'The records.', READ_HEADERS),
  ...((resource.readOnly !== true || resource.deletable === true) && {
    [`${resource.name}.written`]: records(resource.name, 'With `return=representation`: the records.', [
      ...WRITE_HEADERS,
      'Location',
    ]),
  }),
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

/** The error responses of a HEAD by status. */
export const refusedHead = Object.fromEntries(
  [400, 401, 403, 404, 406, 416, 429, 500, 503, 504].map((status) => [status, response('Refused')]),
);

/** Records in every format of `Accept`. */
const records = (name: string, description: string, headers: readonly string[]): object => ({
  description,
  headers: headersOf(headers),
  content: formats(name, true),
});

/** The formats of a body with records of a schema: an array of them, or one object. */
export function formats(schema: string, isArray: boolean): object {
  const record = { anyOf: [reference('schemas', schema), reference('schemas', 'Selected')] };
  const stripped = reference('schemas', 'Selected');
  return {
    // The body is null if a filter excludes the object.
    'application/json': {
      schema: isArray ? { type: 'array', items: record } : { anyOf: [record, { type: 'null' }] },
    },
    'application/vnd.pgrst.object+json': { schema: record },
    'application/vnd.pgrst.array+json;nulls=stripped': { schema: { type: 'array', items: stripped } },
    'application/vnd.pgrst.object+json;nulls=stripped': { schema: stripped },
    'text/csv': { schema: { type: 'string' } },
  };
}
