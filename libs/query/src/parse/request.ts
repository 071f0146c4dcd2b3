// The first stage: what a request says, before anything is known of the resource it names.

import { reject } from '@practice/core';
import { parseBody } from './body.js';
import type { Body, BodyRow } from './body.js';
import { parsePreferences } from './preferences.js';
import type { Preferences } from './preferences.js';
import { canonicalQueryOf, parametersOf } from './query-string.js';
import { everyRow, intersected, rangeOf } from './range.js';
import type { RowRange } from './range.js';
import { parseQueryOptions } from './query-options.js';
import type { QueryOptions } from './query-options.js';

/** A request to one resource, as it came over HTTP. */
export interface RestRequest {
  readonly method: string;
  readonly resource: string;
  /** Raw, without the `?`. */
  readonly query: string;
  readonly headers: RestHeaders;
  readonly body: Uint8Array;
}

/** The headers that the dialect reads; a repeated one is joined with commas. */
export interface RestHeaders {
  readonly prefer?: string | undefined;
  readonly accept?: string | undefined;
  readonly range?: string | undefined;
  readonly 'content-type'?: string | undefined;
  readonly 'accept-profile'?: string | undefined;
  readonly 'content-profile'?: string | undefined;
}

export type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

export interface ParsedRequest {
  readonly method: Method;
  readonly resource: string;
  /** The query in one spelling, for links back to it and to compare requests. */
  readonly canonicalQuery: string;
  readonly options: QueryOptions;
  /** The rows of the resource itself that are asked for. */
  readonly range: RowRange;
  readonly preferences: Preferences;
  /** The Accept header; what it comes to is decided where the dialect decides it, after the columns. */
  readonly accept: string | undefined;
  /** The rows of the body; none for a method whose body means nothing. */
  readonly rows: readonly BodyRow[];
}

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'] satisfies Method[];

const NO_ROWS: readonly BodyRow[] = [];

/**
 * Reads a request. Failures come in PostgREST's order: schema, method, URL, range, body.
 * @throws {Rejection} PGRST106, PGRST117, PGRST100, PGRST103, PGRST114, PGRST102 and what they rest on
 */
export function parseRequest(request: RestRequest): ParsedRequest {
  const { headers, resource } = request;
  checkProfile(request.method, headers);
  const method = METHODS.includes(request.method) ? (request.method as Method) : unsupported(request.method);
  const parameters = parametersOf(request.query);
  const parsed = parseQueryOptions(parameters);
  // A PUT names every column of its record.
  const options = method === 'PUT' ? { ...parsed, columns: null } : parsed;
  return {
    method,
    resource,
    canonicalQuery: canonicalQueryOf(parameters),
    options,
    range: requestedRange(method, options, headers.range),
    preferences: parsePreferences(headers.prefer),
    accept: headers.accept,
    rows: hasRows(method) ? parseBody(bodyOf(request, options)) : NO_ROWS,
  };
}

const bodyOf = ({ body, headers }: RestRequest, { columns }: QueryOptions): Body => ({
  bytes: body,
  contentType: headers['content-type'],
  isChosen: columns !== null,
});

const hasRows = (method: Method): boolean => method === 'POST' || method === 'PATCH' || method === 'PUT';

/** @throws {Rejection} PGRST106 for another schema than the one there is */
export function checkProfile(method: string, headers: RestHeaders): void {
  const reads = method === 'GET' || method === 'HEAD';
  const profile = headers[reads ? 'accept-profile' : 'content-profile'];
  if (profile === undefined || profile === 'public') return;
  reject({
    status: 406,
    code: 'PGRST106',
    message: `Invalid schema: ${profile.slice(0, 100)}`,
    hint: 'Only the following schemas are exposed: public',
  });
}

function unsupported(method: string): never {
  return reject({
    status: 405,
    code: 'PGRST117',
    message: `Unsupported HTTP method: ${method.slice(0, 20)}`,
    headers: { Allow: 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE' },
  });
}

/** The Range header counts for GET alone. */
function requestedRange(method: Method, options: QueryOptions, header: string | undefined): RowRange {
  if (options.limits.length === 0 && options.offsets.length === 0 && header === undefined) return everyRow;
  const ofRoot = (values: QueryOptions['limits']): number | null =>
    values.find(({ embed }) => embed.length === 0)?.value ?? null;
  const range = rangeOf(ofRoot(options.limits), ofRoot(options.offsets));
  if (method === 'PUT' && (range.limit !== null || range.offset > 0)) reject(noRange);
  return method === 'GET' ? intersected(range, header) : range;
}

const noRange = {
  status: 400,
  code: 'PGRST114',
  message: 'limit/offset querystring parameters are not allowed for PUT',
};
