// Problems of requests that name a resource, function or method that does not exist.

import { catalog } from '@practice/contracts';
import type { Problem } from '@practice/core';
import { tableNotFound as unknownTable } from '@practice/query';
import type { Resource } from '@practice/resource';

/** The resource does not exist; the hint suggests one with a similar name. */
export const tableNotFound = (name: string): Problem => unknownTable(catalog, name);

/** The resource, the root or a function does not support the method. */
export function methodNotAllowed(method: string, allow: string): Problem {
  return {
    status: 405,
    code: 'PGRST117',
    message: `Unsupported HTTP method: ${method}`,
    headers: { Allow: allow },
  };
}

/** The methods of a resource, for the `Allow` header. */
export const methodsAllowed = ({ appendOnly }: Resource): string =>
  appendOnly === true ? 'OPTIONS,GET,HEAD,POST' : 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE';

/** How a function was called. */
export interface FunctionCall {
  /** The names of the arguments. */
  readonly parameters: readonly string[];
  /** The type of a single unnamed argument that the body could also have been. */
  readonly unnamed?: string;
  /** The body can only be that argument. */
  readonly isUnnamed?: boolean;
}

/** The API has no functions, so every call of one ends here. */
export function functionNotFound(name: string, { parameters, unnamed, isUnnamed }: FunctionCall): Problem {
  const sorted = [...parameters].sort().join(', ');
  const list = sorted === '' ? ' without parameters' : `(${sorted})`;
  const named =
    sorted === '' ? ' without parameters' : ` with parameter${parameters.length > 1 ? 's' : ''} ${sorted}`;
  const single = unnamed === undefined ? '' : ` with a single unnamed ${unnamed} parameter`;
  const searched = isUnnamed === true ? single : named + (single && ` or${single}`);
  return {
    status: 404,
    code: 'PGRST202',
    message: `Could not find the function public.${name}${isUnnamed === true ? '' : list} in the schema cache`,
    details: `Searched for the function public.${name}${searched}, but no matches were found in the schema cache.`,
    hint: 'Functions are not offered by this API.',
  };
}
