// Calls of functions, which this API does not have: the errors are PostgREST's.

import { reject } from '@practice/core';
import { checkProfile, parametersOf, parseBody } from '@practice/query';
import type { Parameter, RestHeaders } from '@practice/query';
import { queryOf } from '../http/request.js';
import type { HttpRequest } from '../http/request.js';
import { functionNotFound } from './not-found.js';
import type { FunctionCall } from './not-found.js';

/** @throws {Rejection} always: PGRST106, PGRST101, or PGRST202 with the names of the arguments */
export function refuseFunction(name: string, request: HttpRequest): never {
  const { method } = request;
  checkProfile(method, request.headers as RestHeaders);
  if (!['GET', 'HEAD', 'POST'].includes(method)) {
    return reject({
      status: 405,
      code: 'PGRST101',
      message: `Cannot use the ${method} method on RPC`,
      headers: { Allow: 'OPTIONS,GET,HEAD,POST' },
    });
  }
  return reject(
    functionNotFound(name, method === 'POST' ? callOf(request) : { parameters: argumentsOf(request) }),
  );
}

/** The arguments of a GET or HEAD: the parameters that are neither filters nor reserved. */
function argumentsOf(request: HttpRequest): string[] {
  const query = parametersOf(queryOf(request.raw.url ?? ''));
  const isArgument = ({ key, value }: Parameter): boolean =>
    !RESERVED.has(key) &&
    !RESERVED_LAST.has(key.split('.').at(-1) ?? '') &&
    !/^(?:not\.)?[a-z]+(?:\(\w+\))?\./.test(value);
  return [...new Set(query.filter(isArgument).map(({ key }) => key))];
}

const RESERVED = new Set(['select', 'columns', 'on_conflict']);
const RESERVED_LAST = new Set(['order', 'limit', 'offset', 'and', 'or']);

const UNNAMED = new Map([
  ['text/plain', 'text'],
  ['text/xml', 'xml'],
  ['application/octet-stream', 'bytea'],
]);

/** The arguments in the body of a POST. */
function callOf({ headers, body }: HttpRequest): FunctionCall {
  const type = (headers['content-type'] ?? 'application/json').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const unnamed = UNNAMED.get(type);
  if (unnamed !== undefined) return { parameters: [], unnamed, isUnnamed: true };
  const bytes = Buffer.isBuffer(body) ? body : new Uint8Array();
  if (type === 'application/json' && bytes.length === 0) return { parameters: [], unnamed: 'json/jsonb' };
  const [row = {}] = parseBody({ bytes, contentType: type, isChosen: true });
  return { parameters: Object.keys(row), ...(type === 'application/json' && { unnamed: 'json/jsonb' }) };
}
