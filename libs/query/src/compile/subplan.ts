// Rows that are merged with rows of other services: rows in pieces, rows by the records they belong to, and sets of keys.
// A row travels as a JSON array of texts, so that the text of a number stays as Postgres wrote it.

import { piecesOf } from '../compose/pieces.js';
import type { Format, Piece } from '../compose/pieces.js';
import { isConfidential } from '@practice/resource';
import { limits } from '../limits.js';
import { fieldText, fetchedName } from '../plan/semi-join-keys.js';
import type { FetchedField } from '../plan/semi-join-keys.js';
import type { KeysPlan, RowsPlan } from '../plan/subplan.js';
import type { PlannedField, PlannedSelect, ReadNode } from '../plan/read-plan.js';
import type { Shape } from './shape.js';
import { accessedColumn, accessedOf } from './accessed.js';
import { rowCountSql, whereSql } from './condition.js';
import { columnSql, fieldSql, ownSql, tableSql } from './field.js';
import { excludesOne, oneOrNoneSql, relatedSql } from './related.js';
import { groupSql, itemSql, pageSql } from './select.js';
import { bind, checksSql, finished, quoted, rootScope } from './scope.js';
import type { Scope, SqlQuery } from './scope.js';

interface PieceTerms {
  readonly format: Format;
  readonly scope: Scope;
}

/** The shape of rows in pieces: the text of a run of members, the key of the related records for a remote member. */
export function subplanShape(select: PlannedSelect, terms: PieceTerms): Shape {
  const { list, texts, beside } = columnsOf(select, terms);
  return { list, body: rowsSql(texts), beside };
}

/** Keys of the records that rows belong to. */
export type WantedKeys = readonly (string | null)[];

/** The rows of a relation, each after the key of the records that it belongs to. The keys are its second parameter. */
export function compileRows(
  { node, key, relation, format, semiJoinKeys, asOf }: RowsPlan,
  therapistId: string,
  keys: WantedKeys,
): SqlQuery {
  const scope = rootScope(therapistId, { semiJoinKeys, asOf });
  const wanted = bind(scope, keysLiteral(keys));
  const { list, texts, beside } = columnsOf(node.select, { format, scope });
  const column = columnSql(key, scope);
  const selected = (belongs: string): string =>
    `FROM ${tableSql(node, scope)} WHERE ${whereSql(`${ownSql(scope)} AND ${belongs}`, node.where, scope)}`;
  const wantedRows = (): string => {
    // A key has one record: the rows of all keys are one scan of the index.
    if (relation.isToOne && key === 'id' && !node.select.isGrouped && !excludesOne(node))
      return `SELECT ${column} AS key, ${list} ${selected(`${column} = ANY (${wanted}::uuid[])`)}`;
    // A limit keeps Postgres from joining: it would read all records of the practice for a few keys.
    const page = relation.isToOne ? oneOrNoneSql(node) || ' LIMIT 1' : pageSql(node, scope);
    const rows = `SELECT ${list} ${selected(`${column} = wanted.key`)}${groupSql(node, scope)}${page}`;
    return `SELECT wanted.key, p.* FROM unnest(${wanted}::uuid[]) AS wanted(key), LATERAL (${rows}) AS p`;
  };
  /** The ids of the same rows, for the access log. A group shows something of each of its records. */
  const wantedIds = (): string => {
    const page = node.select.isGrouped
      ? ''
      : relation.isToOne
        ? oneOrNoneSql(node) || ' LIMIT 1'
        : pageSql(node, scope);
    const rows = `SELECT ${columnSql('id', scope)} AS id ${selected(`${column} = wanted.key`)}${page}`;
    return `SELECT p.id FROM unnest(${wanted}::uuid[]) AS wanted(key), LATERAL (${rows}) AS p`;
  };
  const found = wantedRows();
  const accessed = accessedOf(node.resource, isConfidential(node.resource) ? wantedIds() : '');
  const limit = bind(scope, String(limits.travellingKeys + 1));
  const body = rowsSql(['r.key::text', ...texts]);
  const from = `FROM (${found} LIMIT ${limit}) AS r${beside}`;
  return finished(`SELECT ${body} AS body${accessed} ${from}${checksSql('HAVING', scope)}`, scope);
}

/** The query of `compileRows` for another practice and other keys. */
export const withWanted = (query: SqlQuery, therapistId: string, keys: WantedKeys): SqlQuery => {
  const [, , ...others] = query.values;
  return { ...query, values: [therapistId, keysLiteral(keys), ...others] };
};

const keysLiteral = (keys: WantedKeys): string => `{${keys.map((key) => key ?? 'NULL').join(',')}}`;

const rowsSql = (texts: readonly string[]): string =>
  `'[' || coalesce(string_agg(to_json(ARRAY[${texts.join(', ')}]::text[])::text, ','), '') || ']'`;

/** The keys of the related records that match all conditions, their values, and their keys by the position of a value. */
export function compileKeys(plan: KeysPlan, therapistId: string): SqlQuery {
  const { node, matching, values, ranks } = plan;
  const scope = rootScope(therapistId, plan);
  const records = recordsOf(plan, scope);
  const matched = matching ? matchingSql(plan, records) : 'NULL';
  const fetched = values.length > 0 ? valuesSql(node, values, records) : 'NULL';
  const ranked = ranks.map((field) => rankedSql(field, records));
  // The response depends on each of these records.
  const accessed = isConfidential(node.resource)
    ? accessedColumn({
        resource: node.resource,
        scope,
        rows: `FROM ${records.from} WHERE ${records.where()}`,
      })
    : '';
  return finished(
    `SELECT json_build_object('matching', ${matched}, 'values', ${fetched}, 'ranks', ARRAY[${ranked.join(', ')}]::json[])::text AS body${accessed}${checksSql('WHERE', scope)}`,
    scope,
  );
}

/** The records of an embed, for subqueries of their own. */
interface Records {
  readonly scope: Scope;
  readonly from: string;
  /** The column that the embedding records refer to, or that refers to them. */
  readonly there: string;
  /** The parameter of the maximum number of keys. */
  readonly limit: string;
  /** Their conditions. Each call binds the values again, for another subquery. */
  readonly where: () => string;
}

function recordsOf({ node, key, relation }: KeysPlan, scope: Scope): Records {
  const there = columnSql(key, scope);
  const own = `${ownSql(scope)} AND ${there} IS NOT NULL`;
  const none = relation.isToOne && excludesOne(node) ? ' AND false' : '';
  return {
    scope,
    from: tableSql(node, scope),
    there,
    limit: bind(scope, String(limits.travellingKeys + 1)),
    where: () => whereSql(own, node.where, scope) + none,
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

/** Base64 without the line ends that Postgres puts into it. */
const packedSql = (bytes: string): string =>
  `translate(encode(coalesce(string_agg(${bytes}, ''::bytea), ''::bytea), 'base64'), E'\\n', '')`;

/**
 * The columns of the rows `r`, and the text of each piece. The members of a run are a row beside `r`, because Postgres runs a
 * subquery in the select list for each row.
 */
function columnsOf(
  select: PlannedSelect,
  { format, scope }: PieceTerms,
): { list: string; texts: string[]; beside: string } {
  const list: string[] = [];
  const runs: string[] = [];
  const named = (sql: string): string => {
    list.push(`${sql} AS c${list.length + 1}`);
    return `r.c${list.length}`;
  };
  const textOf = (piece: Piece): string => {
    if (piece.kind !== 'run') return `${named(columnSql(piece.embed.relation.here, scope))}::text`;
    if (piece.source === 'stored' && format.kind === 'members')
      return recordText(named(columnSql('_json', scope)), format);
    const columns = piece.items.map((item) => named(itemSql(item, scope)));
    if (format.kind === 'values') return valueText(columns[0] ?? 'NULL', format.stripped);
    const members = piece.items.map(({ key }, index) => `${columns[index]} AS ${quoted(key)}`);
    const run = `s${runs.length + 1}`;
    runs.push(`, LATERAL (SELECT ${members.join(', ')}) AS ${run}`);
    return runText(run, format);
  };
  const texts = piecesOf(select, format).map(textOf);
  return { list: list.join(', '), texts, beside: runs.join('') };
}

const recordText = (json: string, { stripped }: Format): string =>
  stripped ? `json_strip_nulls(${json}::json)::text` : json;

function runText(run: string, { kind, stripped }: Format): string {
  if (kind === 'csv') return `substr((${run}.*)::text, 2, length((${run}.*)::text) - 2)`;
  return stripped ? `json_strip_nulls(row_to_json(${run}.*))::text` : `row_to_json(${run}.*)::text`;
}

function valueText(column: string, stripped: boolean): string {
  const json = stripped ? `json_strip_nulls(to_json(${column}))` : `to_json(${column})`;
  return `coalesce(${json}::text, 'null')`;
}
