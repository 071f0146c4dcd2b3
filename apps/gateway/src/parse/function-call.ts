// Calls of functions (`/rest/v1/rpc/<name>`): the parsed call, and the properties that are known from the URL.

import { ASSISTANT_PATH, functions } from '@practice/contracts';
import { problemFor, reject, type Steps } from '@practice/core';
import { checkStrictness, isRead, negotiated, parseCall, QUERY, rowToWire } from '@practice/query';
import type { CommandFields, ParsedRequest, RestRequest } from '@practice/query';
import type { FunctionDefinition } from '@practice/resource';
import { parsedBatch, type ParsedBatch } from './parsed-batch.js';
import { invalidPath } from '../http/not-found.js';
import { type HttpRequest, pathOf } from '../http/request.js';

const PREFIX = '/rest/v1';
const FUNCTIONS = 'rpc/';

/**
 * The resource or function that a path below `/rest/v1/` names.
 * @throws {Rejection} PGRST125 for a path that names neither a resource nor a function
 */
export function targetOf(path: string) {
  const name = resourcePath(path);
  const isFunction = name.startsWith(FUNCTIONS);
  const target = isFunction ? name.slice(FUNCTIONS.length) : name;
  if ((isFunction && target === '') || target.includes('/')) reject(invalidPath);
  return { isFunction, name: target };
}

/** The part of a path after `/rest/v1/`, decoded. */
export function resourcePath(path: string): string {
  const name = path.slice(PREFIX.length + 1);
  return name.includes('%') ? decoded(name) : name;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** A parsed call of a function. */
export interface FunctionCall extends Pick<CommandFields, 'repeatable'> {
  readonly kind: 'function';
  readonly definition: FunctionDefinition;
  /** The services that the call concerns; not empty. */
  readonly services: readonly string[];
  readonly request: ParsedRequest;
  /** The body of the message to the owner: the request on one line, the arguments on the next. */
  readonly body: string;
  /** Given for a batch. */
  readonly batch?: ParsedBatch;
}

/**
 * @throws {Rejection} as `parseCall` of libs/query does; as the function does for a call that concerns no service;
 *   PM400 for a call that writes in several services and shapes their rows, for example with a filter
 */
export function* functionCall(request: RestRequest): Steps<FunctionCall> {
  const parsed = yield* parseCall(request, functions);
  const { definition } = parsed;
  if (definition.isCoordinated === true) return batchCall(definition, parsed.request);
  const [given = {}] = parsed.request.rows;
  const question = JSON.stringify({ ...parsed.request, canonicalQuery: '', rows: [] });
  // Each line of the message has a meaning, and the text of a document may have line breaks.
  const body = `${question}\n${rowToWire(given).replaceAll('\n', ' ')}`;
  const services = servicesConcerned(definition, given);
  if (services.length > 1 && definition.effect === 'writes') checkShape(parsed.request);
  return { kind: 'function', definition, services, request: parsed.request, body };
}

function batchCall(definition: FunctionDefinition, request: ParsedRequest): FunctionCall {
  checkShape(request);
  checkStrictness(request.preferences);
  const batch = parsedBatch(request);
  return {
    kind: 'function',
    definition,
    services: batch.parts.map(({ service }) => service),
    request,
    body: '',
    batch,
  };
}

const servicesConcerned = ({ service }: FunctionDefinition, given: object): readonly string[] =>
  typeof service === 'string' ? [service] : service.concerned(given as Readonly<Record<string, unknown>>);

/** Refuses options that need the rows of all parts. No transaction has them, so a refusal would come after the parts are carried out. */
function checkShape({ canonicalQuery, accept, preferences, range }: ParsedRequest): void {
  const isShaped = canonicalQuery !== '' || range.limit !== null || range.offset !== 0;
  const { shape, stripped } = negotiated(accept);
  const { handling, maxAffected, minAffected } = preferences;
  const isBounded = handling === 'strict' && (maxAffected ?? minAffected) !== null;
  if (isShaped || shape !== 'array' || stripped || preferences.count !== null || isBounded) reject(notShaped);
}

const notShaped = problemFor('PM400', {
  message: 'the call concerns several services, so it returns its rows as they are, as JSON',
  hint: 'Leave out select, filters, order, limit, offset, Range, count, max-affected, min-affected and other media types.',
});

/**
 * Whether a request only reads: by its method, or as a call of a function that only reads. A message of an assistant
 * counts as a read; each of its writes counts in addition.
 */
export function onlyReads({ method, raw: { url = '' } }: Pick<HttpRequest, 'method' | 'raw'>): boolean {
  if (isRead(method) || method === QUERY || method === 'OPTIONS') return true;
  if (method === 'POST' && pathOf(url) === ASSISTANT_PATH) return true;
  if (method !== 'POST' || !url.startsWith(`${PREFIX}/${FUNCTIONS}`)) return false;
  return functions.get(resourcePath(pathOf(url)).slice(FUNCTIONS.length))?.effect === 'reads';
}
