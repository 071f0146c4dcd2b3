// The requested rows of a result: `limit` and `offset`, and the Range header.

import { problemFor, reject, type Problem } from '@practice/core';

/** Rows `offset` … `offset + limit - 1`; a limit of null means no end. */
export interface RowRange {
  readonly offset: number;
  readonly limit: number | null;
}

export const everyRow: RowRange = { offset: 0, limit: null };

/** The integer in a text of a URL; null for any other text, which is ignored. */
export function parseCount(text: string): number | null {
  if (!/^\s*-?\d+\s*$/.test(text)) return null;
  // `|| 0`: minus zero is zero.
  return Math.max(-1, Math.min(Number(text), Number.MAX_SAFE_INTEGER)) || 0;
}

/**
 * The rows that the parameters ask for.
 * @throws {Rejection} PGRST103 if the limit is negative
 */
export function rangeOf(limit: number | null, offset: number | null): RowRange {
  if (limit !== null && limit < 0) reject(unsatisfiable('Limit should be greater than or equal to zero.'));
  return limit === null && offset === null ? everyRow : { limit, offset: Math.max(0, offset ?? 0) };
}

/**
 * The rows that both the parameters and the header ask for. A malformed header is ignored.
 * @throws {Rejection} PGRST103 if the header's lower bound is above the upper one, or the two have no row in common
 */
export function intersected(range: RowRange, header: string | undefined): RowRange {
  const match = header === undefined ? null : /^(\d{1,15})-(\d{0,15})$/.exec(header.trim());
  // A limit of 0 applies whatever the header contains.
  if (match === null || range.limit === 0) return range;
  const first = Number(match[1]);
  const end = match[2] === '' ? Infinity : Number(match[2]) + 1;
  if (end <= first) {
    reject(
      unsatisfiable(
        'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
      ),
    );
  }
  const from = Math.max(first, range.offset);
  const to = Math.min(end, range.limit === null ? Infinity : range.offset + range.limit);
  if (to <= from) reject(unsatisfiable('Limit should be greater than or equal to zero.'));
  return { offset: from, limit: to === Infinity ? null : to - from };
}

/** PGRST103, with the total if it was counted. */
export const unsatisfiable = (details: string, total: number | null = null): Problem =>
  problemFor('PGRST103', {
    details,
    ...(total === null ? {} : { headers: { 'Content-Range': `*/${total}` } }),
  });
