// The parse stage: from an HTTP request to a query or command on a resource. Errors come in PostgREST's order: path, schema,
// method, query string, range, body, and then an unknown resource. A malformed request never reaches a service.

import { catalog } from '@practice/contracts';
import { reject, TextCache } from '@practice/core';
import {
  embeddedResources,
  isCrossService,
  isRead as isReadMethod,
  parseRequest,
  PreparedComposition,
  restHeaders,
  rowsToWire,
  toWire,
} from '@practice/query';
import type { CommandFields, ParsedRequest, RestHeaders } from '@practice/query';
import type { Resource } from '@practice/resource';
import { pathOf, queryOf } from '../http/request.js';
import type { Admitted, HttpRequest } from '../http/request.js';
import { functionCall } from './function-call.js';
import type { FunctionCall } from './function-call.js';
import { tableNotFound } from './not-found.js';
import { targetOf } from './path.js';
import { repeatableOf } from './repeatable.js';

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
}

/** A parsed request for records, or a call of a function. */
export type Call = RecordsCall | FunctionCall;

/** Reads that were parsed before, of all practices. A client sends the same read again and again. */
const reads = new TextCache<Call>();

const NO_BODY = Buffer.alloc(0);

/**
 * A timed request is always parsed, so that its duration does not show what others have sent.
 * @throws {Rejection} for a malformed request, or an unknown resource or function
 */
export function parse({ request, timings, identity, body = NO_BODY }: Admitted): Call {
  const call =
    isReadMethod(request.method) && timings === null
      ? reads.get(textOf(request), () => parsed(request, body))
      : parsed(request, body);
  const { headers } = request;
  if (headers['idempotency-key'] === undefined) return call;
  const { method, resource, canonicalQuery } = call.request;
  const path = call.kind === 'function' ? `rpc/${resource}` : resource;
  return { ...call, ...repeatableOf({ headers, identity }, { method, path, canonicalQuery }, body) };
}

/** Everything that the dialect reads of a request without a body. No header contains a line break. */
function textOf({ method, headers, raw }: HttpRequest): string {
  let text = `${method} ${raw.url}`;
  for (const name of restHeaders) text += `\n${headers[name] === undefined ? '' : `=${headers[name]}`}`;
  return text;
}

function parsed({ method, headers, raw }: HttpRequest, body: Uint8Array): Call {
  const url = raw.url ?? '';
  const { kind, name } = targetOf(pathOf(url));
  const given = {
    ...{ method, resource: name, query: queryOf(url) },
    ...{ headers: headers as RestHeaders, body },
  };
  if (kind === 'function') return functionCall(given);
  const request = parseRequest(given);
  const resource = catalog.readable.get(name) ?? reject(tableNotFound(name));
  const message = isReadMethod(method) ? JSON.stringify(toWire(request)) : rowsToWire(request.rows);
  const composition = isComposed(resource, request) ? new PreparedComposition(request) : null;
  const embedded = embeddedResources(resource, request.options.select, catalog);
  return { kind: 'records', resource, request, body: message, embedded, composition };
}

function isComposed(resource: Resource, { method, preferences, options }: ParsedRequest): boolean {
  const hasRecords = isReadMethod(method) || preferences.return === 'representation';
  return hasRecords && isCrossService(resource, options.select, catalog);
}

/** Whether a request for records only reads. */
export const isRead = ({ request: { method } }: RecordsCall): boolean => isReadMethod(method);
