const PREFIX = '/rest/v1';

/** The part of a path behind `/rest/v1/`, decoded: a resource's name, or whatever else a caller put there. */
export function resourcePath(path: string): string {
  const name = path.slice(PREFIX.length + 1);
  return name.includes('%') ? decoded(name) : name;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The query without `apikey`, which is said to the gateway and is no filter. */
export function withoutApiKey(query: string): string {
  if (!query.includes('apikey=')) return query;
  return query
    .split('&')
    .filter((pair) => !pair.startsWith('apikey='))
    .join('&');
}
