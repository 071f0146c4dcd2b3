// The parse stage: from an HTTP request to a query or command on a resource. Errors come in PostgREST's order: path, schema,
// method, query string, range, body, and then an unknown resource. A malformed request never reaches a service.

import { createHash } from 'node:crypto';
import { catalog, permits } from '@practice/contracts';
import {
  allSteps,
  type Identity,
  type Problem,
  problemFor,
  reject,
  type Steps,
  TextCache,
} from '@practice/core';
import {
  asGet,
  embeddedResources,
  isCrossService,
  isRead as isReadMethod,
  PreparedComposition,
  restHeaders,
  rowsToWire,
  readToWire,
  requestInSteps,
} from '@practice/query';
import type { CommandFields, ParsedRequest, Repeatable, RestHeaders, RestRequest } from '@practice/query';
import { type Resource, shownBy } from '@practice/resource';
import { tableNotFound } from '../http/not-found.js';
import { type Admitted, type HttpRequest, pathOf, queryOf } from '../http/request.js';
import { nestedInsert, type NestedInsert } from './nested-insert.js';
import { functionCall, type FunctionCall, targetOf } from './function-call.js';

const MAX_KEY_LENGTH = 255;

/**
 * The `Idempotency-Key` of a request with a hash of what the request does.
 * @throws {Rejection} PM400 for an invalid key
 */
function repeatableOf(
  key: string | string[],
  { request: { headers }, identity, body = NO_BODY }: Admitted,
  { kind, request: { method, resource, canonicalQuery } }: Call,
): Repeatable {
  if (Array.isArray(key) || key === '' || key.length > MAX_KEY_LENGTH) return reject(invalidKey);
  // The hash does not cover `Accept`, which clients add by themselves. A repetition with another one gets the first response
  // unchanged. The hash covers the caller. The response to one person or token is not repeated to another, which may see less.
  const { userId, practiceRole, tokenId }: Partial<Identity> = identity ?? {};
  const caller = [userId, practiceRole, ...(tokenId ? [tokenId] : [])].join(' ');
  const path = kind === 'function' ? `rpc/${resource}` : resource;
  const hash = hashOf([caller, method, path, canonicalQuery, String(headers['prefer'] ?? ''), body]);
  return { key, hash };
}

function hashOf(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('base64url');
}

const invalidKey = problemFor('PM400', {
  message: `Idempotency-Key must be one value of 1 to ${MAX_KEY_LENGTH} characters`,
});

/** A parsed request with the resource that it names. */
export interface RecordsCall extends Pick<CommandFields, 'repeatable'> {
  readonly kind: 'records';
  readonly resource: Resource;
  readonly request: ParsedRequest;
  /** The body of the message to the owner of the resource: a read itself, or the rows of a write. */
  readonly body: string;
  /** The names of the resources whose records are embedded or filtered by. */
  readonly embedded: readonly string[];
  /** Given if the response contains records of several services. */
  readonly composition: PreparedComposition | null;
  /** Given if the request inserts records within records. */
  readonly nested?: NestedInsert;
}

/** A parsed request for records, or a call of a function. */
export type Call = RecordsCall | FunctionCall;

/** Reads that were parsed before, of all practices. A client sends the same read again and again. */
const reads = new TextCache<Call>();

const NO_BODY = Buffer.alloc(0);

/**
 * Parses a request, with a cache for reads. A timed request is always parsed, so that its duration does not reveal the requests of others.
 * @throws {Rejection} for a malformed request, or an unknown resource or function
 */
export function* parse(admitted: Admitted): Steps<Call> {
  const { request, timings, body = NO_BODY } = admitted;
  const call =
    isReadMethod(request.method) && timings === null
      ? reads.get(textOf(request), () => allSteps(parsed(request, body)))
      : yield* parsed(request, body);
  const key = request.headers['idempotency-key'];
  if (key === undefined) return call;
  const repeatable = repeatableOf(key, admitted, call);
  // A dry run changes nothing, so its key is left to the real request.
  return isDryRun(call) ? call : { ...call, repeatable };
}

/** The key of a read in the cache: everything that the dialect reads of a request without a body. No header contains a line break. */
function textOf({ method, headers, raw }: HttpRequest): string {
  let text = `${method} ${raw.url}`;
  for (const name of restHeaders) text += `\n${headers[name] === undefined ? '' : `=${headers[name]}`}`;
  return text;
}

function parsed({ method, headers, raw }: HttpRequest, body: Uint8Array): Steps<Call> {
  const url = raw.url ?? '';
  const { isFunction, name } = targetOf(pathOf(url));
  const given = asGet({
    ...{ method, resource: name, query: queryOf(url) },
    ...{ headers: headers as RestHeaders, body },
  });
  return isFunction ? functionCall(given) : recordsCall(given);
}

/** @throws {Rejection} for a malformed request, or an unknown resource */
export function* recordsCall(given: RestRequest): Steps<RecordsCall> {
  const request = yield* requestInSteps(given);
  const resource = catalog.readable.get(given.resource) ?? reject(tableNotFound(given.resource));
  const nested = nestedInsert(given, request, resource);
  const message = isReadMethod(given.method) ? readToWire(request) : yield* rowsToWire(request.rows);
  const isParted = nested === undefined && isComposed(resource, request);
  const composition = isParted ? new PreparedComposition(request) : null;
  const embedded = embeddedResources(resource, request.options.select, catalog);
  return {
    kind: 'records',
    resource,
    request,
    body: message,
    embedded,
    composition,
    ...(nested && { nested }),
  };
}

function isComposed(resource: Resource, { method, preferences, options }: ParsedRequest): boolean {
  const hasRecords = isReadMethod(method) || preferences.return === 'representation';
  return hasRecords && isCrossService(resource, options.select, catalog);
}

/** Whether a request for records only reads. */
export const isRead = ({ request: { method } }: RecordsCall): boolean => isReadMethod(method);

/** Whether a request changes nothing, although it is a write. */
export const isDryRun = ({ request: { preferences } }: Call): boolean => preferences.tx === 'rollback';

// Enforces the scopes of personal access tokens, on the parsed request: the resource, its method, and all embedded resources.

const missingScope = ({ oauthClientId }: Identity, scope: string): Problem =>
  problemFor('42501', {
    message: `permission denied: this ${oauthClientId === undefined ? 'personal access token' : 'app'} lacks the scope ${scope}`,
  });

/**
 * Checks that a token may make this request. Sessions, and tokens without scopes, may do what their role may. The owner of a
 * function checks the scopes of its calls.
 * @throws {Rejection} 42501, naming the scope that the token lacks
 */
export function requireScopes(identity: Identity, call: Call): void {
  const { scopes } = identity;
  if (scopes === undefined) return;
  const isWrite = call.kind === 'function' || !isRead(call);
  const all =
    call.kind === 'function' ? (call.batch?.written ?? []) : [call, ...(call.nested?.batch.written ?? [])];
  for (const one of all) requireScopesOf(identity, one, isWrite ? 'write' : 'read');
}

function requireScopesOf(
  identity: Identity,
  call: Pick<RecordsCall, 'resource' | 'embedded'>,
  action: 'read' | 'write',
): void {
  const { scopes = [] } = identity;
  const name = shownBy(call.resource);
  if (!permits(scopes, name, action)) reject(missingScope(identity, `${name}:${action}`));
  const hidden = call.embedded.find((embedded) => !permits(scopes, embedded, 'read'));
  if (hidden !== undefined) reject(missingScope(identity, `${hidden}:read`));
}
