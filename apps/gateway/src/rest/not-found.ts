// What is said to a caller who names something that the API does not have.

import { catalog } from '@practice/contracts';
import type { Problem } from '@practice/core';
import { similar } from './similar.js';

/** A path deeper than one resource, or with a slash behind it. */
export const invalidPath: Problem = {
  status: 404,
  code: 'PGRST125',
  message: 'Invalid path specified in request URL',
};

/** The root has no description of the API to give. */
export const rootDisabled: Problem = {
  status: 404,
  code: 'PGRST126',
  message: 'Root endpoint metadata is disabled',
};

/** No resource of that name; the hint names one that is spelled much like it. */
export function tableNotFound(name: string): Problem {
  const near = similar(name, catalog.resources.keys());
  return {
    status: 404,
    code: 'PGRST205',
    message: `Could not find the table 'public.${name}' in the schema cache`,
    hint: near === undefined ? null : `Perhaps you meant the table 'public.${near}'`,
  };
}

/** A method that the resource, the root or a function hasn't. */
export function methodNotAllowed(method: string, allow: string): Problem {
  return {
    status: 405,
    code: 'PGRST117',
    message: `Unsupported HTTP method: ${method}`,
    headers: { Allow: allow },
  };
}

/**
 * There are no functions to call.
 * @param parameters the names of the arguments that were sent
 */
export function functionNotFound(name: string, parameters: readonly string[]): Problem {
  const sorted = [...parameters].sort();
  const list = sorted.length === 0 ? ' without parameters' : `(${sorted.join(', ')})`;
  const searched = sorted.length === 0 ? ' without parameters' : ` with parameters ${sorted.join(', ')}`;
  return {
    status: 404,
    code: 'PGRST202',
    message: `Could not find the function public.${name}${list} in the schema cache`,
    details: `Searched for the function public.${name}${searched}, but no matches were found in the schema cache.`,
  };
}
