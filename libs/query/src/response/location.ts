// Links back to a resource: paths below `/rest/v1`, safe to stand in a header.

import type { Parameter } from '../parse/query-string.js';

/** `/appointments?date=eq.2026-05-01&order=start_time`: the request, its parameters sorted by key. */
export const canonicalPath = (resource: string, parameters: readonly Parameter[]): string =>
  `/${resource}${parameters.length === 0 ? '' : `?${sorted(parameters).map(encoded).join('&')}`}`;

/** As PostgREST writes it: everything encoded that RFC 3986 does not call unreserved. */
const encoded = ({ key, value }: Parameter): string => `${encodedText(key)}=${encodedText(value)}`;

const encodedText = (text: string): string =>
  /^[\w.~-]*$/.test(text)
    ? text
    : encodeURIComponent(text).replace(
        /[!'()*]/g,
        (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
      );

/**
 * `?limit=5000&offset=1000`: the same request for the rows behind `offset`, relative to the request itself,
 * since only whoever is in front knows under which path it came.
 */
export const queryFrom = (parameters: readonly Parameter[], offset: number): string =>
  queryOf([
    ...parameters.filter(({ key }) => key !== 'offset'),
    { key: 'offset', value: String(offset), raw: `offset=${offset}` },
  ]);

function queryOf(parameters: readonly Parameter[]): string {
  return `?${sorted(parameters)
    .map(({ raw }) => headerSafe(raw))
    .join('&')}`;
}

const sorted = (parameters: readonly Parameter[]): readonly Parameter[] =>
  parameters.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));

/** `/appointments?id=eq.…`. */
export const recordPath = (resource: string, id: string): string =>
  `/${resource}?id=eq.${encodeURIComponent(id)}`;

/** A header holds visible ASCII; and a link is written between angle brackets. */
const headerSafe = (raw: string): string => (SAFE.test(raw) ? raw : raw.replace(UNSAFE, encodeURIComponent));

const SAFE = /^[!#-;=?-~]*$/;
const UNSAFE = /[^!#-;=?-~]+/g;
