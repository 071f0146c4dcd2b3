// Pages by cursor: how a read continues after the last row of the previous page.

import { problemFor, reject } from '@practice/core';
import type { ParsedRequest } from '../parse/request.js';
import { notImplemented } from './problems.js';
import type { ReadNode } from './read-plan.js';

/** The row that a page begins after. A cursor is the sealed form of it. */
export interface PageStart {
  /** The position in the practice's log at which the first page was read. */
  readonly position: string;
  /** The values of the row that the order compares, as text; null is NULL. */
  readonly key: readonly (string | null)[];
}

/**
 * Whether a read returns the first page or a next one; undefined if it is not paged by cursor.
 * @throws {Rejection} PGRST127 for an order that a cursor cannot continue, PM024 for a cursor with an offset
 */
export function pagingOf(
  { after, range }: Pick<ParsedRequest, 'after' | 'range'>,
  { select, order }: ReadNode,
): 'first' | 'next' | undefined {
  if (after === undefined) return undefined;
  if (select.isGrouped) reject(notImplemented('Groups are not paged by cursor: use limit and offset.'));
  if (order.some(({ by }) => by.kind !== 'field'))
    reject(notImplemented('Pages by cursor are not ordered by columns of related records.'));
  if (after === '') return 'first';
  if (range.offset > 0) reject(withOffset);
  return 'next';
}

const withOffset = problemFor('PM024', {
  details: 'A cursor and an offset both say where the page begins.',
  hint: 'Leave out the offset or the Range header.',
});
