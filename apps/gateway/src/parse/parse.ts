// The parse stage: from an HTTP request to a query or command on a resource. Errors come in PostgREST's order: path, schema,
// method, query string, range, body, and then an unknown resource. A malformed request never reaches a service.

import { catalog } from '@practice/contracts';
import { reject } from '@practice/core';
import { isRead as isReadMethod, parseRequest } from '@practice/query';
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
}

const NO_BODY = new Uint8Array();

/** @throws {Rejection} for a malformed request or an unknown resource; always for a function */
export function parse(received: HttpRequest): Call {
  const { method, headers, raw } = received;
  const url = raw.url ?? '';
  const { kind, name } = targetOf(pathOf(url));
  if (kind === 'function') refuseFunction(name, received);
  const body = Buffer.isBuffer(received.body) ? received.body : NO_BODY;
  const request = parseRequest({
    method,
    resource: name,
    query: queryOf(url),
    headers: headers as RestHeaders,
    body,
  });
  const resource = catalog.resources.get(name) ?? reject(tableNotFound(name));
  return { resource, request, ...repeatableOf(received, request, body) };
}

/** Whether a request only reads. */
export const isRead = ({ request: { method } }: Call): boolean => isReadMethod(method);
