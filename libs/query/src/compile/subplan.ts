// Rows that are merged with rows of other services: rows in pieces, rows by the records they belong to, and sets of keys.
// A row travels as a JSON array of texts, so that the text of a number stays as Postgres wrote it.

import { limits } from '../limits.js';
import { fieldText, fetchedName, type FetchedField } from '../plan/semi-join-keys.js';
import type { KeysPlan, RowsPlan } from '../plan/subplan.js';
import { examinedColumn } from '../plan/examined.js';
import type { PlannedCondition, PlannedField, ReadNode } from '../plan/read-plan.js';
import { columnsOf, rowsSql } from './piece-columns.js';
import { accessedColumn, compileAccessed, idsSql } from './accessed.js';
import { rowCountSql, whereSql } from './condition.js';
import { columnSql, fieldSql, ownSql, tableSql } from './field.js';
import { excludesOne, oneOrNoneSql, relatedSql } from './related.js';
import { groupSql, pageSql } from './select.js';
import {
  bind,
  checksSql,
  finished,
  innerScope,
  rootScope,
  type Parameter,
  type Scope,
  type SqlQuery,
} from './scope.js';

/** Keys of the records that rows belong to. */
export type WantedKeys = readonly (string | null)[];

/** The rows of a relation, each after the key of the records that it belongs to. The keys are its second parameter. */
export function compileRows(plan: RowsPlan, therapistId: string, keys: WantedKeys): SqlQuery {
  const { node, key, relation, format } = plan;
  const scope = rootScope(therapistId, plan);
  const wanted = bind(scope, keysLiteral(keys));
  const { list, texts, beside } = columnsOf(node.select, format, scope);
  const column = columnSql(key, scope);
  const newest = newestSql(plan, scope);
  const selected = (belongs: string): string =>
    wantedSql(node, { belongs: belongs + newest, where: node.where }, scope);
  // A limit keeps Postgres from a join that reads all records of the practice for a few keys.
  const page = (): string => (relation.isToOne ? oneOrNoneSql(node) || ' LIMIT 1' : pageSql(node, scope));
  const wantedRows = (): string => {
    // A key has one record, so one scan of the index finds the rows of all keys.
    if (relation.isToOne && key === 'id' && !node.select.isGrouped && !excludesOne(node))
      return `SELECT ${column} AS key, ${list} ${selected(`${column} = ANY (${wanted}::uuid[])`)}`;
    const limited = page();
    const rows = `SELECT ${list} ${selected(`${column} = wanted.key`)}${groupSql(node, scope)}${limited}`;
    return `SELECT wanted.key, p.* FROM unnest(${wanted}::uuid[]) AS wanted(key), LATERAL (${rows}) AS p`;
  };
  const found = wantedRows();
  const accessed = accessedColumn({
    node,
    shown: () =>
      wantedIds(wanted, `${selected(`${column} = wanted.key`)}${node.select.isGrouped ? '' : page()}`, scope),
    all: allWanted(plan, wanted, scope),
    // A group shows something of each of its records.
    isWide: node.select.isGrouped,
  });
  const limit = bind(scope, String(limits.travellingKeys + 1));
  const body = rowsSql(['r.key::text', ...texts]);
  const from = `FROM (${found} LIMIT ${limit}) AS r${beside}`;
  return finished(`SELECT ${body} AS body${accessed} ${from}${checksSql('HAVING', scope)}`, scope);
}

/** The condition that a row is the newest with its key. A person may have several memberships in succession: the newest is related. */
function newestSql(
  { node, key, relation }: Pick<RowsPlan, 'node' | 'key' | 'relation'>,
  scope: Scope,
): string {
  if (!relation.isToOne || key === 'id') return '';
  const inner = innerScope(scope);
  const same = `${ownSql(inner)} AND ${columnSql(key, inner)} = ${columnSql(key, scope)}`;
  const order = `${columnSql('created_at', inner)} DESC, ${columnSql('id', inner)} DESC`;
  return ` AND ${columnSql('id', scope)} = (SELECT ${columnSql('id', inner)} FROM ${tableSql(node, inner)} WHERE ${same} ORDER BY ${order} LIMIT 1)`;
}

/** FROM and WHERE of the rows that belong to wanted keys. */
const wantedSql = (
  node: ReadNode,
  { belongs, where }: { readonly belongs: string; readonly where: readonly PlannedCondition[] },
  scope: Scope,
): string =>
  `FROM ${tableSql(node, scope)} WHERE ${whereSql(`${ownSql(scope)} AND ${belongs}`, where, scope)}`;

/** The ids of rows that belong to wanted keys, for the access log. */
const wantedIds = (wanted: Parameter, rows: string, scope: Scope): string =>
  `SELECT p.id FROM unnest(${wanted}::uuid[]) AS wanted(key), LATERAL (${idsSql(rows, scope)}) AS p`;

/** A query of the ids of all rows that belong to wanted keys and meet conditions. */
const allWanted =
  ({ node, key }: RowsPlan, wanted: Parameter, scope: Scope) =>
  (where: readonly PlannedCondition[]): string => {
    const belongs = `${columnSql(key, scope)} = wanted.key`;
    return wantedIds(wanted, wantedSql(node, { belongs, where }, scope), scope);
  };

/** The records that an error of a subquery may depend on; undefined if it does not depend on confidential values. */
export function compileSubplanAttempt(
  plan: RowsPlan | KeysPlan,
  therapistId: string,
  keys: WantedKeys,
): SqlQuery | undefined {
  const { node } = plan;
  if (examinedColumn(node) === undefined) return undefined;
  const scope = rootScope(therapistId, plan);
  if (plan.kind === 'keys') {
    return compileAccessed({ node, all: selectionOf(plan, scope).all }, scope);
  }
  const wanted = bind(scope, keysLiteral(keys));
  return compileAccessed({ node, all: allWanted(plan, wanted, scope) }, scope);
}

/** The value of the parameter of the keys. */
export const keysLiteral = (keys: WantedKeys): string => `{${keys.map((key) => key ?? 'NULL').join(',')}}`;

/** The keys of the related records that match all conditions, the values of these records, and their positions in each order. */
export function compileKeys(plan: KeysPlan, therapistId: string): SqlQuery {
  const { node, matching, values, ranks } = plan;
  const scope = rootScope(therapistId, plan);
  const records = recordsOf(plan, scope);
  const matched = matching ? matchingSql(plan, records) : 'NULL';
  const fetched = values.length > 0 ? valuesSql(node, values, records) : 'NULL';
  const ranked = ranks.map((field) => rankedSql(field, records));
  // The response depends on each of these records.
  const accessed = accessedColumn({ node, all: records.all });
  return finished(
    `SELECT json_build_object('matching', ${matched}, 'values', ${fetched}, 'ranks', ARRAY[${ranked.join(', ')}]::json[])::text AS body${accessed}${checksSql('WHERE', scope)}`,
    scope,
  );
}

type Records = ReturnType<typeof recordsOf>;

/** The records of an embed, for subqueries of their own. `limit` is the parameter of the maximum number of keys. */
function recordsOf(plan: KeysPlan, scope: Scope) {
  const selection = selectionOf(plan, scope);
  return { ...selection, limit: bind(scope, String(limits.travellingKeys + 1)) };
}

function selectionOf({ node, key, relation }: KeysPlan, scope: Scope) {
  const there = columnSql(key, scope);
  const own = `${ownSql(scope)} AND ${there} IS NOT NULL${newestSql({ node, key, relation }, scope)}`;
  const none = relation.isToOne && excludesOne(node) ? ' AND false' : '';
  const from = tableSql(node, scope);
  return {
    scope,
    from,
    /** The column that the embedding records refer to, or that refers to them. */
    there,
    /** The SQL of the conditions. Each call binds the values again, because each result is part of another subquery. */
    where: () => whereSql(own, node.where, scope) + none,
    /** A query of the ids of the records that meet these conditions. */
    all: (where: readonly PlannedCondition[]) =>
      idsSql(`FROM ${from} WHERE ${whereSql(own, where, scope)}${none}`, scope),
  };
}

function matchingSql(plan: KeysPlan, { scope, from, there, limit, where }: Records): string {
  const { offset } = plan.node;
  const met = `FROM ${from} WHERE ${where()}`;
  const keys =
    offset === 0
      ? `SELECT DISTINCT ${there} AS key ${met}`
      : `SELECT ${there} AS key ${met} GROUP BY 1 HAVING ${rowCountSql(plan, scope)} > ${bind(scope, String(offset))}`;
  return `(SELECT ${packedSql('uuid_send(m.key)')} FROM (${keys} LIMIT ${limit}) AS m)`;
}

/** The fields of each record, as text. */
function valuesSql(
  node: ReadNode,
  values: readonly FetchedField[],
  { scope, from, there, limit, where }: Records,
): string {
  const met = where();
  const names = values.map((fetched) => bind(scope, fetchedName(node, fetched))).join(', ');
  const texts = values.map(({ through, field }) => `${relatedSql(through, field, scope)}::text`).join(', ');
  const record = `json_object(ARRAY[${names}]::text[], ARRAY[${texts}]::text[])`;
  const rows = `SELECT ${there} AS key, ${record} AS fields FROM ${from} WHERE ${met} LIMIT ${limit}`;
  return `(SELECT coalesce(json_object_agg(v.key, v.fields), '{}')::text FROM (${rows}) AS v)`;
}

/** Equal values have the same position, so that the next term of the order decides between them. */
function rankedSql(field: PlannedField, { scope, from, there, limit, where }: Records): string {
  const position = `dense_rank() OVER (ORDER BY ${fieldSql(field, scope)})`;
  const hasValue = `${where()} AND ${fieldSql(field, scope)} IS NOT NULL`;
  const rows = `SELECT ${there} AS key, ${position}::integer AS position FROM ${from} WHERE ${hasValue} LIMIT ${limit}`;
  const [keys, positions] = [packedSql('uuid_send(p.key)'), packedSql('int4send(p.position)')];
  const name = bind(scope, fieldText(field));
  return `(SELECT json_build_object('field', ${name}::text, 'keys', ${keys}, 'positions', ${positions}) FROM (${rows}) AS p)`;
}

/** Base64 without the line breaks that Postgres inserts. */
const packedSql = (bytes: string): string =>
  `translate(encode(coalesce(string_agg(${bytes}, ''::bytea), ''::bytea), 'base64'), E'\\n', '')`;
