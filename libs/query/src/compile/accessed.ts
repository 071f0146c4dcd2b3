// The ids of confidential records that a statement reads, for the access log: one more column of its result.

import { isConfidential, MAX_RECORDED_IDS } from '@practice/resource';
import type { Resource } from '@practice/resource';
import type { PlannedSelect } from '../plan/read-plan.js';
import { columnSql } from './field.js';
import type { Scope } from './scope.js';

/** Where the records of a statement are. */
export interface AccessedRows {
  readonly resource: Resource;
  readonly scope: Scope;
  /** FROM, WHERE and the page of the records: everything behind the columns. */
  readonly rows: string;
  /** The columns that the response shows, if it shows records. */
  readonly select?: PlannedSelect;
}

/**
 * The column `accessed`, with the comma before it: the number of the records, and their ids unless there are too many. Empty for a
 * resource that is not confidential. One record more than are recorded is enough to see that there are too many.
 */
export function accessedColumn({ resource, scope, rows, select }: AccessedRows): string {
  if (!isConfidential(resource)) return '';
  const ids = `SELECT ${columnSql('id', scope)} AS id ${rows}`;
  return accessedOf(resource, ids, select !== undefined && showsOnlyCount(select));
}

/** Whether a response shows nothing of the records but how many there are. */
const showsOnlyCount = ({ items }: PlannedSelect): boolean =>
  items.length > 0 && items.every((item) => item.kind === 'aggregate' && item.field === null);

/** The same for a query that selects the ids. */
export function accessedOf(resource: Resource, ids: string, showsOnlyCount = false): string {
  if (!isConfidential(resource)) return '';
  const distinct = 'count(DISTINCT a.id)';
  const listed = showsOnlyCount
    ? 'NULL'
    : `CASE WHEN ${distinct} <= ${MAX_RECORDED_IDS} THEN json_agg(DISTINCT a.id) END`;
  return `, (SELECT json_build_object('count', ${distinct}, 'ids', ${listed}) FROM (${ids}) AS a)::text AS accessed`;
}

/** The records that a statement read, as its column `accessed` has them. */
export interface Accessed {
  readonly count: number;
  /** Null if there are more than are recorded, or if only their number was shown. */
  readonly ids: readonly string[] | null;
}
