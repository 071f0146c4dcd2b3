import type { Problem } from '@practice/core';

/** Parts of Supabase that this API does not have, by the path that its clients call. */
const notOffered: ReadonlyMap<string, string> = new Map([
  ['storage', 'Storage is'],
  ['functions', 'Edge functions are'],
  ['realtime', 'Realtime is'],
  ['graphql', 'GraphQL is'],
]);

/** 404 for a path that no part of the API has. */
export function noRoute(path: string): Problem {
  const [, first = '', version] = path.split('/');
  const subject = version === 'v1' ? notOffered.get(first) : undefined;
  return subject === undefined
    ? invalidPath
    : { status: 404, code: 'PM011', message: `${subject} not offered by this API` };
}

export const invalidPath: Problem = {
  status: 404,
  code: 'PGRST125',
  message: 'Invalid path specified in request URL',
};
