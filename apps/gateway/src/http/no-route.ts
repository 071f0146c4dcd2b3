import { CALENDAR_PATH, EXPORT_LINKS } from '@practice/contracts';
import { problemFor } from '@practice/core';
import type { Problem } from '@practice/core';

/** Parts of Supabase that this API does not have, by the path that its clients call. */
const notOffered: ReadonlyMap<string, string> = new Map([
  ['storage', 'Storage is'],
  ['functions', 'Edge functions are'],
  ['graphql', 'GraphQL is'],
]);

/** Paths beside the records and the accounts, with the methods that they take. */
const paths: readonly (readonly [path: RegExp, methods: string])[] = [
  [new RegExp(`^/(?:${EXPORT_LINKS}|${CALENDAR_PATH})/`), 'OPTIONS,GET,HEAD'],
  [/^\/events\/v1\/?$/, 'OPTIONS,GET,HEAD'],
  [/^\/realtime\/v1\/api\/broadcast(?:\/[^/]+\/events\/[^/]+)?$/, 'OPTIONS,POST'],
];

/** The methods of a path beside the records and the accounts, as the `Allow` header lists them; undefined for other paths. */
export const methodsOfPath = (path: string): string | undefined =>
  paths.find(([pattern]) => pattern.test(path))?.[1];

/** 404 for a path that no part of the API has. */
export function noRoute(path: string): Problem {
  const [, first = '', version] = path.split('/');
  const subject = version === 'v1' ? notOffered.get(first) : undefined;
  return subject === undefined
    ? invalidPath
    : problemFor('PM011', { message: `${subject} not offered by this API` });
}

export const invalidPath: Problem = {
  status: 404,
  code: 'PGRST125',
  message: 'Invalid path specified in request URL',
};
