// A call of a function, `/rpc/<name>`. Errors are reported in PostgREST's order: schema, method, URL, range, body, then the function itself.

import { reject, type Steps } from '@practice/core';
import { isRequired, type FunctionDefinition } from '@practice/resource';
import { functionNotFound, methodNotForFunctions, oneObject, writesOnly } from './call-problems.js';
import type { Functions, GivenArguments } from './call-problems.js';
import { checkNoInstant } from './as-of.js';
import { isJsonType, mediaType, parseBody, type BodyRow } from './body.js';
import { parsePreferences } from './preferences.js';
import { canonicalQueryOf, parametersOf, type Parameter } from './query-string.js';
import { parseQueryOptions } from './query-options.js';
import { checkProfile, isRead, requestedRange } from './request.js';
import type { Method, ParsedRequest, RestRequest } from './request.js';

/** A parsed call. The `resource` of the request is the name of the function, and its only row has the arguments. */
export interface ParsedCall {
  readonly definition: FunctionDefinition;
  readonly request: ParsedRequest;
}

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST'];

/**
 * Parses a call. Only the names of the arguments are checked; the owner of the function checks their values.
 * @throws {Rejection} PGRST106, PGRST101, 25006, PGRST100, PGRST103, PGRST102, PGRST202, PM400, PM015
 */
export function* parseCall(received: RestRequest, functions: Functions): Steps<ParsedCall> {
  const { headers, resource: name } = received;
  checkProfile(received.method, headers);
  const definition = functions.get(name);
  const method = METHODS.includes(received.method)
    ? (received.method as Method)
    : reject(methodNotForFunctions(received.method, definition));
  if (definition?.effect === 'writes' && isRead(method)) reject(writesOnly(definition));
  const parameters = parametersOf(received.query);
  yield;
  const preferences = parsePreferences(headers.prefer);
  checkNoInstant(definition, { parameters, preferences });
  const isNamed = (parameter: Parameter): boolean => isRead(method) && isArgument(parameter, definition);
  const options = yield* parseQueryOptions(parameters.filter((parameter) => !isNamed(parameter)));
  const range = requestedRange(method, options, headers.range);
  const given = isRead(method)
    ? inQuery(parameters.filter(isNamed))
    : yield* inBody(received, options.columns);
  if (definition === undefined || !fits(definition, given)) {
    return reject(functionNotFound(name, given, functions));
  }
  const canonicalQuery = canonicalQueryOf(parameters);
  yield;
  const request = {
    ...{ method, resource: name, canonicalQuery, options, range },
    ...{ preferences, accept: headers.accept ?? null },
    rows: [given.values],
  };
  return { definition, request };
}

const RESERVED: ReadonlySet<string> = new Set(['select', 'columns', 'on_conflict']);
const RESERVED_LAST: ReadonlySet<string> = new Set(['order', 'limit', 'offset', 'and', 'or']);
const FILTER = /^(?:not\.)?[a-z]+(?:\(\w+\))?\./;

/**
 * Whether a parameter of a GET is an argument. A value such as `eq.1` is a filter on the result, unless only an argument has
 * the name.
 */
function isArgument({ key, value }: Parameter, definition: FunctionDefinition | undefined): boolean {
  if (RESERVED.has(key) || RESERVED_LAST.has(key.slice(key.lastIndexOf('.') + 1))) return false;
  if (!FILTER.test(value)) return true;
  const isResult = definition?.returns.kind !== 'nothing' && definition?.returns.columns[key] !== undefined;
  return !isResult && definition !== undefined && Object.hasOwn(definition.arguments, key);
}

interface Given extends GivenArguments {
  readonly values: BodyRow;
}

/** The first of several values for one argument applies. */
const inQuery = (named: readonly Parameter[]): Given =>
  given(Object.fromEntries(named.toReversed().map(({ key, value }) => [key, value])));

const given = (values: BodyRow, more: Omit<GivenArguments, 'names'> = {}): Given => ({
  values,
  names: Object.keys(values),
  ...more,
});

/** Bodies that PostgREST passes to a function as its single unnamed argument. No function here has such an argument. */
const UNNAMED = new Map([
  ['text/plain', 'text'],
  ['text/xml', 'xml'],
  ['application/octet-stream', 'bytea'],
]);
const JSON_ARGUMENT = { unnamed: 'json/jsonb' };

function* inBody({ headers, body }: RestRequest, columns: readonly string[] | null): Steps<Given> {
  const contentType = headers['content-type'];
  const unnamed = UNNAMED.get(mediaType(contentType));
  if (unnamed !== undefined) return given({}, { unnamed, isUnnamed: true });
  const isJson = isJsonType(contentType);
  if (isJson && body.length === 0) return given({}, JSON_ARGUMENT);
  const row = oneRow(yield* parseBody({ bytes: body, contentType, columns: columns ?? [] }));
  const chosen = columns === null ? row : pick(row, columns);
  return given(chosen, isJson ? JSON_ARGUMENT : {});
}

const oneRow = ([row = {}, ...others]: readonly BodyRow[]): BodyRow =>
  others.length === 0 ? row : reject(oneObject);

const pick = (row: BodyRow, names: readonly string[]): BodyRow =>
  Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)));

/** Whether a call names every required argument, and none that the function does not have. */
function fits({ arguments: columns }: FunctionDefinition, { names, isUnnamed }: Given): boolean {
  if (isUnnamed === true) return false;
  const isKnown = names.every((name) => Object.hasOwn(columns, name));
  return (
    isKnown && Object.entries(columns).every(([name, column]) => !isRequired(column) || names.includes(name))
  );
}
