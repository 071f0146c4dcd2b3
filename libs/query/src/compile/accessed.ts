// The ids of confidential records that a statement reads, for the access log: one more column of its result.

import { isConfidential, MAX_RECORDED_IDS } from '@practice/resource';
import { examinedColumn, whateverTheValues, type Examining } from '../plan/examined.js';
import type { PlannedCondition, PlannedSelect } from '../plan/read-plan.js';
import { columnSql } from './field.js';
import { finished, type Scope, type SqlQuery } from './scope.js';

/** The records of a statement. */
export interface AccessedRows {
  readonly node: Examining;
  /** A query of the ids of the records that meet these conditions, on every page. */
  readonly all: (where: readonly PlannedCondition[]) => string;
  /** A query of the ids of the records that the response shows; absent for a statement that shows none. */
  readonly shown?: () => string;
  /** Whether the response also depends on records of other pages, for example on their number. */
  readonly isWide?: boolean;
  /** Whether the response shows values of records, and not only their number. */
  readonly showsRecords?: boolean;
}

/** The records that a statement read: the value of its column `accessed`. */
export interface Accessed {
  readonly count: number;
  /** Null if only their number was shown. If there are more records than the log takes, only the ids that the response shows. */
  readonly ids: readonly string[] | null;
  /** The request asks something about confidential values, so it is recorded even if no record is concerned. */
  readonly isSearch?: boolean;
}

/** An attempt to learn something about records, when the ids of these records are not known. */
export const SEARCH: Accessed = { count: 0, ids: null, isSearch: true };

/**
 * The column `accessed`: every record that the response depends on. Undefined for a resource that is not confidential. A request that
 * examines confidential values depends on each record that another value would add or remove, whether it meets the conditions or not.
 */
export function accessedSql(rows: AccessedRows): string | undefined {
  const { node, all, shown, showsRecords = true } = rows;
  if (!isConfidential(node.resource)) return undefined;
  const isSearch = examinedColumn(node) !== undefined;
  const page = isSearch || rows.isWide === true ? undefined : shown;
  const where = isSearch ? whateverTheValues(node.where, node.resource) : node.where;
  const ids = page === undefined ? all(where) : page();
  const listed = showsRecords || isSearch ? listedSql(page === undefined ? shown : undefined) : 'NULL';
  const found = `'count', ${COUNT}, 'ids', ${listed}, 'isSearch', ${isSearch}`;
  return `(SELECT json_build_object(${found}) FROM (${ids}) AS a)::text`;
}

const COUNT = 'count(DISTINCT a.id)';

/** @param rather a query of the ids to list if all of them are too many */
function listedSql(rather: (() => string) | undefined): string {
  const other = rather === undefined ? '' : ` ELSE (SELECT json_agg(DISTINCT p.id) FROM (${rather()}) AS p)`;
  return `CASE WHEN ${COUNT} <= ${MAX_RECORDED_IDS} THEN json_agg(DISTINCT a.id)${other} END`;
}

/** The column with the comma before it, and its name; empty for a resource that is not confidential. */
export function accessedColumn(rows: AccessedRows): string {
  const sql = accessedSql(rows);
  return sql === undefined ? '' : `, ${sql} AS accessed`;
}

/** A query of the column by itself, for a statement that has failed: an error may depend on confidential values. */
export const compileAccessed = (rows: Omit<AccessedRows, 'shown'>, scope: Scope): SqlQuery =>
  finished(`SELECT ${accessedSql(rows)} AS accessed`, scope);

/** Whether a response shows only the number of the records. */
export const showsOnlyCount = ({ items }: PlannedSelect): boolean =>
  items.length > 0 && items.every((item) => item.kind === 'aggregate' && item.field === null);

/** A query that selects the ids of rows: FROM, WHERE and the page of the records. */
export const idsSql = (rows: string, scope: Scope): string =>
  `SELECT ${columnSql('id', scope)} AS id ${rows}`;
