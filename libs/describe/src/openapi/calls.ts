import type { OpenApi, Operation, PathItem } from './document.js';
import { reference } from './reference.js';

/** A call that is not about a resource. */
export interface Call {
  readonly method: string;
  /** The path in the notation of OpenAPI: `/auth/v1/tokens/{id}`. */
  readonly path: string;
  /** Required credentials: none, the project's key, or the key and a user's token. */
  readonly access: 'open' | 'key' | 'user';
  readonly operation: Operation;
}

/** The paths of calls. The security and its error responses are derived from `access`. */
export function pathsOfCalls(calls: readonly Call[]): OpenApi['paths'] {
  const paths: Record<string, PathItem> = {};
  for (const call of calls) paths[call.path] = { ...paths[call.path], [call.method]: operationOf(call) };
  return paths;
}

function operationOf({ method, path, access, operation }: Call): Operation {
  const refusals = access === 'open' ? {} : { 401: reference('responses', 'Unauthorized') };
  return {
    operationId: operationId(method, path),
    description: `${String(operation['summary'])}.`,
    ...operation,
    ...(access === 'user' ? {} : { security: access === 'key' ? [{ apikey: [] }] : [] }),
    responses: { ...refusals, ...operation.responses },
  };
}

/** `delete_auth_tokens_id` for DELETE `/auth/v1/tokens/{id}`. */
const operationId = (method: string, path: string): string =>
  [method, ...(path.match(/\w+/g) ?? [])].filter((word) => word !== 'v1').join('_');
