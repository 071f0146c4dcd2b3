// Answers OPTIONS. Browsers send a preflight without the API key, so these answers come before the check of the key.

import { catalog, functions } from '@practice/contracts';
import { functionNotFound, methodsOfFunction } from '@practice/query';
import { invalidPath, methodsAllowed, methodsOfPath, tableNotFound } from '../http/not-found.js';
import { problemResponse } from '../http/problem-response.js';
import { type HttpRequest, pathOf } from '../http/request.js';
import type { HttpResponse } from '../http/responses.js';
import { resourcePath } from './function-call.js';

const ALL_METHODS = 'GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD, QUERY';
const MAX_AGE_SECONDS = '86400';
/** The root and the documents, which are not resources. */
const DESCRIPTIONS: ReadonlySet<string> = new Set(['', 'openapi.json']);

/** The answer to an OPTIONS request: the permission of a preflight, or the methods of the resource. */
export function optionsResponse(request: HttpRequest): HttpResponse {
  const { origin } = request.headers;
  const isPreflight = origin !== undefined && request.headers['access-control-request-method'] !== undefined;
  if (isPreflight) return preflight(request.headers['access-control-request-headers']);
  const answer = methodsOf(request);
  // With an `Origin`, the common headers include this header.
  if (origin !== undefined || answer.status !== 200) return answer;
  return { ...answer, headers: { ...answer.headers, 'Access-Control-Allow-Origin': '*' } };
}

function preflight(requested: string | undefined): HttpResponse {
  const names = (requested ?? '').split(',').map((name) => name.trim());
  // Only valid header names are repeated in the response.
  const echoed = names.filter((name) => /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name));
  return {
    status: 200,
    headers: {
      'Access-Control-Allow-Methods': ALL_METHODS,
      'Access-Control-Allow-Headers': [
        'Authorization',
        ...echoed,
        'Accept',
        'Accept-Language',
        'Content-Language',
      ].join(', '),
      'Access-Control-Max-Age': MAX_AGE_SECONDS,
    },
  };
}

function methodsOf(request: HttpRequest): HttpResponse {
  const path = pathOf(request.raw.url ?? '');
  const methods = methodsOfPath(path);
  if (methods !== undefined) return allowed(methods);
  if (!path.startsWith('/rest/v1')) return allowed('OPTIONS,GET,HEAD,POST,PUT,DELETE');
  const name = resourcePath(path);
  if (DESCRIPTIONS.has(name)) return allowed('OPTIONS,GET,HEAD');
  const resource = catalog.readable.get(name);
  if (resource !== undefined) return allowed(methodsAllowed(resource));
  return name.includes('/') ? methodsOfCall(name) : problemResponse(tableNotFound(name));
}

function methodsOfCall(name: string): HttpResponse {
  const [first, called = '', ...others] = name.split('/');
  if (first !== 'rpc' || called === '' || others.length > 0) return problemResponse(invalidPath);
  const definition = functions.get(called);
  return definition === undefined
    ? problemResponse(functionNotFound(called, { names: [] }, functions))
    : allowed(methodsOfFunction(definition));
}

const allowed = (methods: string): HttpResponse => ({ status: 200, headers: { Allow: methods } });
