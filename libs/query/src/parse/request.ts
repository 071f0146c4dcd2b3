// The first stage: parses a request, before anything is known about the resource that it names.

import { allSteps, problemFor, reject, type Steps } from '@practice/core';
import { AS_OF, asOfOf, type AsOfTerms } from './as-of.js';
import { type BodyRow, isJsonType, mediaType, parseBody, rowsIn, textIn } from './body.js';
import { parsePreferences, type Preferences } from './preferences.js';
import { canonicalQueryOf, parametersOf, type Parameter } from './query-string.js';
import { everyRow, intersected, rangeOf, type RowRange } from './range.js';
import { parseQueryOptions, type QueryOptions } from './query-options.js';

/** A request to one resource, as it arrives over HTTP. */
export interface RestRequest {
  readonly method: string;
  readonly resource: string;
  /** Raw, without the `?`. */
  readonly query: string;
  readonly headers: RestHeaders;
  readonly body: Uint8Array;
  /** The content of a JSON body that was read before. */
  readonly json?: unknown;
}

/** The names of the headers that the dialect reads. */
export const restHeaders = [
  'prefer',
  'accept',
  'range',
  'content-type',
  'accept-profile',
  'content-profile',
] as const;

/** The headers that the dialect reads; a repeated header is joined with commas. */
export type RestHeaders = Readonly<Partial<Record<(typeof restHeaders)[number], string | undefined>>>;

export type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** A parsed request. It is plain JSON data, so `JSON.parse(JSON.stringify(request))` has the same meaning. */
export interface ParsedRequest {
  readonly method: Method;
  readonly resource: string;
  /** The query in its canonical spelling, for links back to the request and to compare requests. */
  readonly canonicalQuery: string;
  readonly options: QueryOptions;
  /** Present for a page by cursor: the cursor that it begins after, empty for the first page. */
  readonly after?: string;
  /** The requested rows of the resource itself. */
  readonly range: RowRange;
  readonly preferences: Preferences;
  /** The Accept header. It is negotiated after the relations have been checked. */
  readonly accept: string | null;
  /** The rows of the body; empty for a method that has none. Numbers that a double would change are their own text. */
  readonly rows: readonly BodyRow[];
}

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'] satisfies Method[];

const NO_ROWS: readonly BodyRow[] = [];

/** Parses a request whose body is short. */
export const parseRequest = (request: RestRequest, now?: number): ParsedRequest =>
  allSteps(requestInSteps(request, now));

/**
 * Parses a request. Problems are reported in PostgREST's order: schema, method, URL, range, body.
 * @param now the clock, in milliseconds since the epoch
 * @throws {Rejection} PGRST106, PGRST117, PGRST100, PGRST103, PGRST114, PGRST102, 22003, 22021, 22023, PM400, PM413, and as `asOfOf`
 */
export function* requestInSteps(request: RestRequest, now = Date.now()): Steps<ParsedRequest> {
  const { headers, resource } = request;
  checkProfile(request.method, headers);
  const method = METHODS.includes(request.method)
    ? (request.method as Method)
    : reject(unsupported(request.method));
  const parameters = parametersOf(request.query);
  yield;
  const isReading = isRead(method);
  const parsed = yield* parseQueryOptions(
    parameters.filter((parameter) => parameter.key !== AS_OF && !(isReading && isAfter(parameter))),
  );
  const preferences = withInstant(parsePreferences(headers.prefer), {
    isRead: isReading,
    parameters,
    now,
  });
  // `columns` applies only to JSON, where rows can lack keys, and not to a PUT, which names every column of its record.
  const hasColumns = method !== 'PUT' && isJsonType(headers['content-type']);
  const options = hasColumns ? parsed : { ...parsed, columns: null };
  const after = isReading ? afterOf(parameters, preferences) : undefined;
  const canonicalQuery = canonicalQueryOf(withParameter(parameters, preferences));
  yield;
  return {
    method,
    resource,
    canonicalQuery,
    options,
    range: requestedRange(method, options, headers.range),
    preferences,
    accept: headers.accept ?? null,
    rows: hasRows(method) ? yield* rowsOf(request, options) : NO_ROWS,
    ...(after !== undefined && { after }),
  };
}

/** The preferences with the instant of the read, whether the URL or a preference names it. */
function withInstant(preferences: Preferences, terms: Omit<AsOfTerms, 'preferences'>): Preferences {
  const asOf = asOfOf({ preferences, ...terms });
  return asOf === preferences.asOf ? preferences : { ...preferences, asOf };
}

/** The parameters with the instant that a preference names, so that a link back to the request names it too. */
const withParameter = (parameters: readonly Parameter[], { asOf }: Preferences): readonly Parameter[] =>
  asOf === null || parameters.some(({ key }) => key === AS_OF)
    ? parameters
    : [...parameters, { key: AS_OF, value: asOf }];

function* rowsOf({ body, headers, json }: RestRequest, { columns }: QueryOptions): Steps<readonly BodyRow[]> {
  return json === undefined
    ? yield* parseBody({ bytes: body, contentType: headers['content-type'], columns })
    : rowsIn(json, columns);
}

const hasRows = (method: Method): boolean => method === 'POST' || method === 'PATCH' || method === 'PUT';

/** @throws {Rejection} PGRST106 for any schema but `public` */
export function checkProfile(method: string, headers: RestHeaders): void {
  const profile = headers[isRead(method) ? 'accept-profile' : 'content-profile'];
  if (profile === undefined || profile === 'public') return;
  reject('PGRST106', {
    message: `Invalid schema: ${profile.slice(0, 100)}`,
    hint: 'Only the following schemas are exposed: public',
  });
}

const unsupported = (method: string) =>
  problemFor('PGRST117', {
    message: `Unsupported HTTP method: ${method.slice(0, 20)}`,
    headers: { Allow: 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE,QUERY' },
  });

/** The last of several limits or offsets applies. The Range header applies to GET only. */
export function requestedRange(method: Method, options: QueryOptions, header: string | undefined): RowRange {
  if (options.limits.length === 0 && options.offsets.length === 0 && header === undefined) return everyRow;
  const ofRoot = (values: QueryOptions['limits']): number | null =>
    values.findLast(({ embed }) => embed.length === 0)?.value ?? null;
  const range = rangeOf(ofRoot(options.limits), ofRoot(options.offsets));
  if (method === 'PUT' && (range.limit !== null || range.offset > 0)) reject(noRange);
  return method === 'GET' ? intersected(range, header) : range;
}

const noRange = problemFor('PGRST114', {
  message: 'limit/offset querystring parameters are not allowed for PUT',
});

// `after` and `Prefer: pages=cursor`: each page begins after the last row of the previous page.

/** Whether a parameter is the cursor, and not a filter on the column `after` of a history. A filter has a dot, a cursor has none. */
const isAfter = ({ key, value }: Parameter): boolean => key === 'after' && !value.includes('.');

/** The cursor that a read begins after: empty for the first page; undefined if it is not paged by cursor. */
const afterOf = (parameters: readonly Parameter[], { pages }: Preferences): string | undefined =>
  parameters.find(isAfter)?.value ?? (pages === null ? undefined : '');

// QUERY (RFC 10008): a read whose query string is its body, for queries that are too long for a URL.

/** The name of the method. */
export const QUERY = 'QUERY';
const FORM = 'application/x-www-form-urlencoded';

/**
 * The GET that a QUERY stands for: the parameters of its URL, then the parameters of its body. Other requests stay as they are.
 * @throws {Rejection} PGRST102 for a body of another type, or that is not UTF-8
 */
export function asGet(request: RestRequest): RestRequest {
  if (request.method !== QUERY) return request;
  const type = mediaType(request.headers['content-type']);
  if (request.body.length > 0 && type !== FORM)
    reject(notAForm(`Content-Type not acceptable: ${type.slice(0, 100)}`));
  const text = textIn(request.body) ?? reject(notAForm('The body is not UTF-8'));
  const parameters = [request.query, text.trim()].filter((part) => part !== '');
  return { ...request, method: 'GET', query: parameters.join('&'), body: new Uint8Array() };
}

const notAForm = (message: string) =>
  problemFor('PGRST102', { message, hint: `The body of a QUERY is a query string, as ${FORM}.` });
