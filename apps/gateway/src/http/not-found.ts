// Requests that name a path, resource or method that does not exist.

import { accountRoutes, ASSISTANT_PATH, CALENDAR_PATH, catalog, EXPORT_LINKS } from '@practice/contracts';
import { type Problem, problemFor } from '@practice/core';
import { QUERY, tableNotFound as unknownTable } from '@practice/query';
import { methodsOf, type Resource } from '@practice/resource';

/** Parts of Supabase that this API does not have, by the path that its clients call. */
const notOffered: ReadonlyMap<string, string> = new Map([
  ['storage', 'Storage is'],
  ['functions', 'Edge functions are'],
  ['graphql', 'GraphQL is'],
]);

/** Paths outside the records and the auth API, with their methods. */
const otherPaths: readonly (readonly [path: RegExp, methods: string])[] = [
  [new RegExp(`^/(?:${EXPORT_LINKS}|${CALENDAR_PATH})/`), 'OPTIONS,GET,HEAD'],
  [new RegExp(`^${ASSISTANT_PATH}$`), 'OPTIONS,POST'],
  [/^\/events\/v1\/?$/, 'OPTIONS,GET,HEAD'],
  [/^\/realtime\/v1\/api\/broadcast(?:\/[^/]+\/events\/[^/]+)?$/, 'OPTIONS,POST'],
];

/** The methods of a path outside the records and the auth API, as the `Allow` header lists them; undefined for other paths. */
export const methodsOfPath = (path: string): string | undefined =>
  otherPaths.find(([pattern]) => pattern.test(path))?.[1];

/** 404 for a path that no part of the API has. */
export function noRoute(path: string): Problem {
  const [, first = '', version] = path.split('/');
  const subject = version === 'v1' ? notOffered.get(first) : undefined;
  return subject === undefined
    ? invalidPath
    : problemFor('PM011', { message: `${subject} not offered by this API` });
}

export const invalidPath = problemFor('PGRST125');

/** The resource does not exist; the hint suggests one with a similar name. */
export const tableNotFound = (name: string): Problem => unknownTable(catalog, name);

/** The resource, the root or a function does not support the method. */
export const methodNotAllowed = (method: string, allow: string): Problem =>
  problemFor('PGRST117', { message: `Unsupported HTTP method: ${method}`, headers: { Allow: allow } });

/** The methods of a resource, for the `Allow` header. */
export const methodsAllowed = (resource: Resource): string =>
  ['OPTIONS', ...methodsOf(resource), QUERY].join();

const accountPaths = accountRoutes.map(({ method, path }) => ({
  pattern: new RegExp(`^/auth/v1/${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`),
  methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
}));

/** The methods of a path of the auth API, as the `Allow` header lists them; undefined when the path does not exist. */
export function accountMethods(path: string): string | undefined {
  const methods = accountPaths.filter(({ pattern }) => pattern.test(path)).flatMap((found) => found.methods);
  return methods.length === 0 ? undefined : ['OPTIONS', ...new Set(methods)].join(',');
}
