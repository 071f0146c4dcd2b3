import type { OpenApi, Operation, PathItem } from './document.js';
import { reference } from './reference.js';

/** A call that is about no resource. */
export interface Call {
  readonly method: string;
  /** As OpenAPI spells it: `/auth/v1/tokens/{id}`. */
  readonly path: string;
  /** What the caller must show: nothing, the project's key, or a user's token besides. */
  readonly access: 'open' | 'key' | 'user';
  readonly operation: Operation;
}

/** The paths of calls: what a caller must show comes from `access`, and so do the refusals of those who do not. */
export function pathsOfCalls(calls: readonly Call[]): OpenApi['paths'] {
  const paths: Record<string, PathItem> = {};
  for (const call of calls) paths[call.path] = { ...paths[call.path], [call.method]: operationOf(call) };
  return paths;
}

function operationOf({ access, operation }: Call): Operation {
  const refusals = access === 'open' ? {} : { 401: reference('responses', 'Unauthorized') };
  return {
    ...operation,
    ...(access === 'user' ? {} : { security: access === 'key' ? [{ apikey: [] }] : [] }),
    responses: { ...refusals, ...operation.responses },
  };
}
