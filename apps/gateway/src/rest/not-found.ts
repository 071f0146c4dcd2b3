// What is said to a caller who names something that the API does not have.

import { catalog } from '@practice/contracts';
import type { Problem } from '@practice/core';
import { nearestTable } from '@practice/query';
import type { Resource } from '@practice/resource';

/** A path deeper than one resource, or with a slash behind it. */
export const invalidPath: Problem = {
  status: 404,
  code: 'PGRST125',
  message: 'Invalid path specified in request URL',
};

/** No resource of that name; the hint names one that is spelled much like it. */
export function tableNotFound(name: string): Problem {
  const near = nearestTable(name, catalog.resources.keys());
  return {
    status: 404,
    code: 'PGRST205',
    message: `Could not find the table 'public.${name}' in the schema cache`,
    hint: near === null ? null : `Perhaps you meant the table 'public.${near}'`,
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

/** The methods of a resource, as `Allow` lists them. */
export const methodsAllowed = ({ appendOnly }: Resource): string =>
  appendOnly === true ? 'OPTIONS,GET,HEAD,POST' : 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE';

/** How a function was called. */
export interface FunctionCall {
  /** The names of the arguments. */
  readonly parameters: readonly string[];
  /** The one argument without a name that the body might have been, too. */
  readonly unnamed?: string;
  /** The body can be nothing but that argument. */
  readonly isUnnamed?: boolean;
}

/** There are no functions to call. */
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
  };
}
