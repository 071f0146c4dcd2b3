// The parse stage: from an HTTP request to a query or command on a resource. Errors come in PostgREST's order: path, schema,
// method, query string, range, body, and then an unknown resource. A malformed request never reaches a service.

import { catalog } from '@practice/contracts';
import { reject, TextCache } from '@practice/core';
import {
  isCrossService,
  isRead as isReadMethod,
  parseRequest,
  PreparedComposition,
  restHeaders,
  rowsToWire,
  toWire,
} from '@practice/query';
import type { ParsedRequest, RestHeaders } from '@practice/query';
import type { Resource } from '@practice/resource';
import type { CommandFields } from '@practice/service';
import { pathOf, queryOf } from '../http/request.js';
import type { HttpRequest } from '../http/request.js';
import { refuseFunction } from './function-call.js';
import { tableNotFound } from './not-found.js';
import { targetOf } from './path.js';
import { repeatableOf } from './repeatable.js';

/** A parsed request with the resource that it names. */
export interface Call extends Pick<CommandFields, 'repeatable'> {
  readonly resource: Resource;
  readonly request: ParsedRequest;
  /** The body of the message to the owner of the resource: a read itself, or the rows of a write. */
  readonly body: string;
  /** Given if the response contains records of several services. */
  readonly composition: PreparedComposition | null;
}

type ParsedCall = Omit<Call, 'repeatable'>;

/** Reads that were parsed before, of all practices. A client sends the same read again and again. */
const reads = new TextCache<ParsedCall>();

const NO_BODY = new Uint8Array();

/** @throws {Rejection} for a malformed request or an unknown resource; always for a function */
export function parse(received: HttpRequest): Call {
  const call = isReadMethod(received.method)
    ? reads.get(textOf(received), () => parsed(received))
    : parsed(received);
  if (received.headers['idempotency-key'] === undefined) return call;
  return { ...call, ...repeatableOf(received, call.request, bodyOf(received)) };
}

/** Everything that the dialect reads of a request without a body. No header contains a line break. */
function textOf({ method, headers, raw }: HttpRequest): string {
  let text = `${method} ${raw.url}`;
  for (const name of restHeaders) text += `\n${headers[name] === undefined ? '' : `=${headers[name]}`}`;
  return text;
}

function parsed(received: HttpRequest): ParsedCall {
  const { method, headers, raw } = received;
  const url = raw.url ?? '';
  const { kind, name } = targetOf(pathOf(url));
  if (kind === 'function') refuseFunction(name, received);
  const request = parseRequest({
    method,
    resource: name,
    query: queryOf(url),
    headers: headers as RestHeaders,
    body: bodyOf(received),
  });
  const resource = catalog.resources.get(name) ?? reject(tableNotFound(name));
  const body = isReadMethod(method) ? JSON.stringify(toWire(request)) : rowsToWire(request.rows);
  const composition = isComposed(resource, request) ? new PreparedComposition(request) : null;
  return { resource, request, body, composition };
}

function isComposed(resource: Resource, { method, preferences, options }: ParsedRequest): boolean {
  const hasRecords = isReadMethod(method) || preferences.return === 'representation';
  return hasRecords && isCrossService(resource, options.select, catalog);
}

const bodyOf = ({ body }: HttpRequest): Uint8Array => (Buffer.isBuffer(body) ? body : NO_BODY);

/** Whether a request only reads. */
export const isRead = ({ request: { method } }: Call): boolean => isReadMethod(method);
