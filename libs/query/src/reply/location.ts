// Links back to a resource: paths below `/rest/v1`, safe to stand in a header.

import type { Parameter } from '../parse/query-string.js';

/** `/appointments?date=eq.2026-05-01&order=start_time`: the request, its parameters sorted by key. */
export function canonicalPath(resource: string, parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return `/${resource}`;
  const sorted = parameters.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return `/${resource}?${sorted.map(({ raw }) => headerSafe(raw)).join('&')}`;
}

/** The same request for the rows behind `offset`. */
export function pathFrom(resource: string, parameters: readonly Parameter[], offset: number): string {
  const others = parameters.filter(({ key }) => key !== 'offset');
  return canonicalPath(resource, [
    ...others,
    { key: 'offset', value: String(offset), raw: `offset=${offset}` },
  ]);
}

/** `/appointments?id=eq.…`. */
export const recordPath = (resource: string, id: string): string =>
  `/${resource}?id=eq.${encodeURIComponent(id)}`;

/** A header holds visible ASCII; and a link is written between angle brackets. */
const headerSafe = (raw: string): string => (SAFE.test(raw) ? raw : raw.replace(UNSAFE, encodeURIComponent));

const SAFE = /^[!#-;=?-~]*$/;
const UNSAFE = /[^!#-;=?-~]+/g;
