// A parsed request in a message between processes: plain JSON, without the members that have their default value.
// The rows of a body travel separately, see `rows.ts`. Any change here needs a new version of the frame in libs/bus.

import type { BodyRow } from '../parse/body.js';
import { noPreferences, type Preferences } from '../parse/preferences.js';
import { noOptions, type QueryOptions } from '../parse/query-options.js';
import { everyRow } from '../parse/range.js';
import type { ParsedRequest } from '../parse/request.js';
import { split, type Given } from '../plan/read-shape.js';
import type { Subquery, SubqueryResult } from '../plan/subplan.js';

export interface WireRequest
  extends
    Pick<ParsedRequest, 'method' | 'resource'>,
    Partial<Pick<ParsedRequest, 'canonicalQuery' | 'after' | 'range'>> {
  /** Without the options that have their default value. */
  readonly options?: Partial<QueryOptions>;
  readonly preferences?: Partial<Preferences>;
  readonly accept?: string;
}

/** The request without its rows, ready for JSON. */
export function toWire(request: ParsedRequest): WireRequest {
  const { method, resource, canonicalQuery, after, options, range, preferences, accept } = request;
  return {
    method,
    resource,
    ...(canonicalQuery !== '' && { canonicalQuery }),
    ...(after !== undefined && { after }),
    ...(options !== noOptions && { options: changed(options, noOptions) }),
    ...(range !== everyRow && { range }),
    ...(preferences !== noPreferences && { preferences: changed(preferences, noPreferences) }),
    ...(accept !== null && { accept }),
  };
}

/** The request that `toWire` was called with. */
export const fromWire = (
  { options, preferences, ...wire }: WireRequest,
  rows: readonly BodyRow[],
): ParsedRequest => ({
  canonicalQuery: '',
  range: everyRow,
  accept: null,
  ...wire,
  options: options === undefined ? noOptions : { ...noOptions, ...options },
  preferences: preferences === undefined ? noPreferences : { ...noPreferences, ...preferences },
  rows,
});

/** The message of a read: its shape on one line, the rest on the next. */
export function readToWire(request: ParsedRequest): string {
  const { shape, given } = split(request);
  return `${JSON.stringify(toWire(shape))}\n${JSON.stringify(given)}`;
}

/** The shape of a message of `readToWire`, as text, and the rest. */
export function readFromWire(body: string): { readonly shape: string; readonly given: Given } {
  const [shape = '', given = ''] = body.split('\n');
  return { shape, given: JSON.parse(given) as Given };
}

export const shapeFromWire = (text: string): ParsedRequest => fromWire(JSON.parse(text) as WireRequest, []);

/** A subquery, and the result that it must return. */
export interface WireQuestion {
  readonly subquery: WireSubquery;
  readonly result: SubqueryResult;
}

/** A subquery, ready for JSON. */
export type WireSubquery = Omit<Subquery, 'options'> & { readonly options: Partial<QueryOptions> };

export const subqueryToWire = (subquery: Subquery): WireSubquery => ({
  ...subquery,
  options: changed(subquery.options, noOptions),
});

export const subqueryFromWire = (wire: WireSubquery): Subquery => ({
  ...wire,
  options: { ...noOptions, ...wire.options },
});

/** The members that differ from a default; an empty list counts as the default. */
function changed<T extends object>(value: T, defaults: T): Partial<T> {
  const members: Partial<T> = {};
  for (const name in value) {
    const member = value[name];
    if (member === defaults[name] || (Array.isArray(member) && member.length === 0)) continue;
    members[name] = member;
  }
  return members;
}
