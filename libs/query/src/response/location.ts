// Links back to a resource: paths below `/rest/v1`. All characters are safe in a header.

/** `/appointments?date=eq.2026-05-01&order=start_time`. */
export const canonicalPath = (resource: string, canonicalQuery: string): string =>
  canonicalQuery === '' ? `/${resource}` : `/${resource}?${canonicalQuery}`;

/** `?limit=5000&offset=1000`: the same query for the rows from `offset` on, relative to the URL of the request. */
export function queryFrom(canonicalQuery: string, offset: number): string {
  const others = canonicalQuery.split('&').filter((pair) => pair !== '' && !pair.startsWith('offset='));
  const after = others.findIndex((pair) => pair > 'offset=');
  return `?${others.toSpliced(after < 0 ? others.length : after, 0, `offset=${offset}`).join('&')}`;
}

/** `/appointments?id=eq.…`. */
export const recordPath = (resource: string, id: string): string =>
  `/${resource}?id=eq.${encodeURIComponent(id)}`;
