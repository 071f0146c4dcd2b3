import { problemFor } from '@practice/core';
import type { Accessed } from '../compile/accessed.js';

/** A response as it is sent over HTTP, independent of the transport in between. */
export interface RestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null: no body and no Content-Type. */
  readonly body: string | null;
  /** The confidential records that the response of a write depends on, by resource. Only accesses that are not recorded yet. */
  readonly unrecorded?: ReadonlyMap<string, Accessed>;
}

/** `0-24/100`: the returned rows and the total; `*` for no rows, or if they were not counted. */
export function contentRange(offset: number, rows: number, total: number | null): string {
  const range = rows === 0 ? '*' : `${offset}-${offset + rows - 1}`;
  return `${range}/${total ?? '*'}`;
}

/** PGRST116: the caller asked for exactly one object. */
export const notOneRow = (rows: number) =>
  problemFor('PGRST116', {
    message: 'Cannot coerce the result to a single JSON object',
    details: `The result contains ${rows} rows`,
  });

/** Preference-Applied, unless it is empty. */
export const appliedHeader = (applied: string | null): Record<string, string> =>
  applied === null ? {} : { 'Preference-Applied': applied };

// Entity tags: the version of a record's stream, so that a version has the same tag in every shape of response
// (https://www.rfc-editor.org/rfc/rfc9110#name-conditional-requests).

export const entityTag = (version: number): string => `"${version}"`;

const TAG = /^\s*(?:W\/)?"(\d{1,10})"\s*$/;

/** Whether an If-Match or If-None-Match header matches a version. `*` matches any version. Weak tags are accepted. */
export const matchesVersion = (header: string, version: number): boolean =>
  header.trim() === '*' || header.split(',').some((tag) => Number(TAG.exec(tag)?.[1]) === version);
