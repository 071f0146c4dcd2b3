import { reject } from '@practice/core';
import { queryOf } from '../door/request.js';
import type { DoorRequest } from '../door/request.js';
import { functionNotFound, invalidPath } from './not-found.js';
import { withoutApiKey } from './resource-path.js';

/** @throws {Rejection} always: there are no functions to call */
export function refuseFunction(name: string, request: DoorRequest): never {
  if (name === '' || name.includes('/')) return reject(invalidPath);
  const { method } = request;
  if (!['GET', 'HEAD', 'POST'].includes(method)) {
    return reject({
      status: 405,
      code: 'PGRST101',
      message: `Cannot use the ${method} method on RPC`,
      headers: { Allow: 'OPTIONS,GET,HEAD,POST' },
    });
  }
  return reject(functionNotFound(name, method === 'POST' ? keysOf(request.body) : parametersOf(request)));
}

/** Reads take their arguments from the query. */
function parametersOf(request: DoorRequest): string[] {
  return [...new URLSearchParams(withoutApiKey(queryOf(request.raw.url ?? ''))).keys()];
}

function keysOf(body: unknown): string[] {
  try {
    const value: unknown = JSON.parse(Buffer.isBuffer(body) ? body.toString() : '{}');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  } catch {
    return [];
  }
}
