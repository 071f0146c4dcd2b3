// Links back to a resource: paths below `/rest/v1`. All characters are safe in a header.

import type { RowRange } from '../parse/range.js';

/** `/appointments?date=eq.2026-05-01&order=start_time`. */
export const canonicalPath = (resource: string, canonicalQuery: string): string =>
  canonicalQuery === '' ? `/${resource}` : `/${resource}?${canonicalQuery}`;

/** `?limit=4000&offset=1000`: the same query for these rows, relative to the URL of the request. */
export function queryFrom(canonicalQuery: string, { offset, limit }: RowRange): string {
  const asked = limit === null ? [] : [`limit=${limit}`];
  return queryWith(canonicalQuery, (pair) => !/^(?:limit|offset)=/.test(pair), [
    ...asked,
    `offset=${offset}`,
  ]);
}

/** The same for the rows after a cursor. A filter on a column `after` stays in the query: it has a dot. */
export const queryAfter = (canonicalQuery: string, cursor: string): string =>
  queryWith(canonicalQuery, (pair) => !/^(?:offset=|after=[^.]*$)/.test(pair), [`after=${cursor}`]);

function queryWith(
  canonicalQuery: string,
  stays: (pair: string) => boolean,
  added: readonly string[],
): string {
  const others = canonicalQuery.split('&').filter((pair) => pair !== '' && stays(pair));
  return `?${added.reduce<readonly string[]>(inserted, others).join('&')}`;
}

function inserted(pairs: readonly string[], added: string): string[] {
  const behind = pairs.findIndex((pair) => pair > added);
  return pairs.toSpliced(behind < 0 ? pairs.length : behind, 0, added);
}

/** `/appointments?id=eq.…`. */
export const recordPath = (resource: string, id: string): string =>
  `/${resource}?id=eq.${encodeURIComponent(id)}`;
