// Problems of requests that name a resource or method that does not exist.

import { catalog } from '@practice/contracts';
import type { Problem } from '@practice/core';
import { tableNotFound as unknownTable } from '@practice/query';
import { methodsOf } from '@practice/resource';
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
export const methodsAllowed = (resource: Resource): string => ['OPTIONS', ...methodsOf(resource)].join();
