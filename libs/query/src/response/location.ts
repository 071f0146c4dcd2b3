// Links back to a resource: paths below `/rest/v1`. All characters are safe in a header.

/** `/appointments?date=eq.2026-05-01&order=start_time`. */
export const canonicalPath = (resource: string, canonicalQuery: string): string =>
  canonicalQuery === '' ? `/${resource}` : `/${resource}?${canonicalQuery}`;

/** `?limit=5000&offset=1000`: the same query for the rows from `offset` on, relative to the URL of the request. */
export const queryFrom = (canonicalQuery: string, offset: number): string =>
  queryWith(canonicalQuery, (pair) => !pair.startsWith('offset='), `offset=${offset}`);

/** The same for the rows after a cursor. A filter on a column `after` stays in the query: it has a dot. */
export const queryAfter = (canonicalQuery: string, cursor: string): string =>
  queryWith(canonicalQuery, (pair) => !/^(?:offset=|after=[^.]*$)/.test(pair), `after=${cursor}`);

function queryWith(canonicalQuery: string, stays: (pair: string) => boolean, added: string): string {
  const others = canonicalQuery.split('&').filter((pair) => pair !== '' && stays(pair));
  const behind = others.findIndex((pair) => pair > added);
  return `?${others.toSpliced(behind < 0 ? others.length : behind, 0, added).join('&')}`;
}

/** `/appointments?id=eq.…`. */
export const recordPath = (resource: string, id: string): string =>
  `/${resource}?id=eq.${encodeURIComponent(id)}`;
