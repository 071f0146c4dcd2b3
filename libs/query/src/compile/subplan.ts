// Answers that are put together outside Postgres: rows in pieces, rows by the records they belong to, and sets of keys.
// A row travels as a JSON array of texts, so that the text of a number stays as Postgres wrote it.

import type { Resource } from '@practice/resource';
import { piecesOf } from '../compose/pieces.js';
import type { Format, Piece } from '../compose/pieces.js';
import { limits } from '../limits.js';
import { fieldText, fetchedName } from '../plan/semi-join-keys.js';
import type { FetchedField } from '../plan/semi-join-keys.js';
import type { KeysPlan, RowsPlan } from '../plan/subplan.js';
import type { PlannedField, PlannedItem, PlannedSelect, ReadNode } from '../plan/read-plan.js';
import { wholeOf } from '../plan/select.js';
import type { Shape } from './shape.js';
import { whereSql } from './condition.js';
import { columnSql, fieldSql, ownSql, tableSql } from './field.js';
import { relatedSql } from './related.js';
import { groupSql, itemSql, oneOrNoneSql, pageSql } from './select.js';
import { bind, quoted, rootScope } from './scope.js';
import type { Scope, SqlQuery } from './scope.js';

/** The shape of rows in pieces: for a run its text, for a member that is answered elsewhere the key of its records. */
export function subplanShape(resource: Resource, select: PlannedSelect, { format, scope }: Parts): Shape {
  const { list, texts } = columnsOf(resource, select, { format, scope });
  return { list, body: rowsSql(texts) };
}

interface Parts {
  readonly format: Format;
  readonly scope: Scope;
}

/** The rows of a relation, each behind the key of the records that it belongs to. */
export function compileRows(
  { node, key, isToOne, format, therapistId, semiJoinKeys }: RowsPlan,
  keys: readonly (string | null)[],
): SqlQuery {
  const scope = rootScope(therapistId, semiJoinKeys);
  const wanted = bind(scope, `{${keys.map((key) => key ?? 'NULL').join(',')}}`);
  const { list, texts } = columnsOf(node.resource, node.select, { format, scope });
  const belongs = `${ownSql(scope)} AND ${columnSql(key, scope)} = wanted.key`;
  const from = `FROM ${tableSql(node.resource, scope)} WHERE ${whereSql(belongs, node.where, scope)}`;
  const page = isToOne ? oneOrNoneSql(node) : pageSql(node, scope);
  const rows = `SELECT ${list} ${from}${groupSql(node.select)}${page}`;
  const limit = bind(scope, String(limits.travellingKeys + 1));
  return {
    text: `SELECT ${rowsSql(['r.key::text', ...texts])} AS body FROM (SELECT wanted.key, p.* FROM unnest(${wanted}::uuid[]) AS wanted(key), LATERAL (${rows}) AS p LIMIT ${limit}) AS r`,
    values: scope.values,
  };
}

const rowsSql = (texts: readonly string[]): string =>
  `'[' || coalesce(string_agg(to_json(ARRAY[${texts.join(', ')}]::text[])::text, ','), '') || ']'`;

/** The keys of related records that meet all conditions, and those of records by the place of their value. */
export function compileKeys({
  node,
  key,
  matching,
  values,
  ranks,
  therapistId,
  semiJoinKeys,
}: KeysPlan): SqlQuery {
  const scope = rootScope(therapistId, semiJoinKeys);
  const from = tableSql(node.resource, scope);
  const there = columnSql(key, scope);
  const limit = bind(scope, String(limits.travellingKeys + 1));
  const where = (): string => whereSql(`${ownSql(scope)} AND ${there} IS NOT NULL`, node.where, scope);
  const met = matching
    ? `(SELECT ${packedSql('uuid_send(m.key)')} FROM (SELECT DISTINCT ${there} AS key FROM ${from} WHERE ${where()} LIMIT ${limit}) AS m)`
    : 'NULL';
  const fetched = values.length > 0 ? valuesSql(node, values, { scope, from, there, limit, where }) : 'NULL';
  const ranked = ranks.map((field) => rankedSql(field, { scope, from, there, limit, where }));
  return {
    text: `SELECT json_build_object('matching', ${met}, 'values', ${fetched}, 'ranks', ARRAY[${ranked.join(', ')}]::json[])::text AS body`,
    values: scope.values,
  };
}

interface Met {
  readonly scope: Scope;
  readonly from: string;
  readonly there: string;
  readonly limit: string;
  readonly where: () => string;
}

/** The fields of each record, as text. */
function valuesSql(
  node: ReadNode,
  values: readonly FetchedField[],
  { scope, from, there, limit, where }: Met,
): string {
  const met = where();
  const names = values.map((fetched) => bind(scope, fetchedName(node, fetched))).join(', ');
  const texts = values.map(({ through, field }) => `${relatedSql(through, field, scope)}::text`).join(', ');
  const record = `json_object(ARRAY[${names}]::text[], ARRAY[${texts}]::text[])`;
  const rows = `SELECT ${there} AS key, ${record} AS fields FROM ${from} WHERE ${met} LIMIT ${limit}`;
  return `(SELECT coalesce(json_object_agg(v.key, v.fields), '{}')::text FROM (${rows}) AS v)`;
}

/** Equal values have one place, so that the next term of the order decides between them. */
function rankedSql(field: PlannedField, { scope, from, there, limit, where }: Met): string {
  const place = `dense_rank() OVER (ORDER BY ${fieldSql(field, scope)})`;
  const hasValue = `${where()} AND ${fieldSql(field, scope)} IS NOT NULL`;
  const rows = `SELECT ${there} AS key, ${place}::integer AS position FROM ${from} WHERE ${hasValue} LIMIT ${limit}`;
  const [keys, positions] = [packedSql('uuid_send(p.key)'), packedSql('int4send(p.position)')];
  const name = bind(scope, fieldText(field));
  return `(SELECT json_build_object('field', ${name}::text, 'keys', ${keys}, 'positions', ${positions}) FROM (${rows}) AS p)`;
}

/** Base64 without the line ends that Postgres puts into it. */
const packedSql = (bytes: string): string =>
  `translate(encode(coalesce(string_agg(${bytes}, ''::bytea), ''::bytea), 'base64'), E'\\n', '')`;

/** The columns of the rows `r`, and the texts that pieces make of them. */
function columnsOf(
  resource: Resource,
  select: PlannedSelect,
  { format, scope }: Parts,
): { list: string; texts: string[] } {
  const list: string[] = [];
  const texts: string[] = [];
  const named = (sql: string): string => {
    list.push(`${sql} AS c${list.length + 1}`);
    return `r.c${list.length}`;
  };
  for (const piece of piecesOf(select, format)) {
    if (piece.kind !== 'run') texts.push(`${named(columnSql(piece.embed.relation.here, scope))}::text`);
    else if (isRecord(resource, piece) && format.kind === 'members')
      texts.push(recordText(named(columnSql('_json', scope)), format));
    else
      texts.push(
        runText(
          piece.items,
          piece.items.map((item) => named(itemSql(item, scope))),
          format,
        ),
      );
  }
  return { list: list.join(', '), texts };
}

/** Every column as the record has it, which was written as JSON when it was stored. */
function isRecord(resource: Resource, { items }: Extract<Piece, { kind: 'run' }>): boolean {
  const whole = wholeOf(resource).items;
  return items.length === whole.length && items.every((item, index) => item === whole[index]);
}

const recordText = (json: string, { stripped }: Format): string =>
  stripped ? `json_strip_nulls(${json}::json)::text` : json;

function runText(
  items: readonly PlannedItem[],
  columns: readonly string[],
  { kind, stripped }: Format,
): string {
  if (kind === 'values') return valueText(columns[0] ?? 'NULL', stripped);
  const members = items.map(({ key }, index) => `${columns[index]} AS ${quoted(key)}`).join(', ');
  const text =
    kind === 'csv'
      ? 'substr((s.*)::text, 2, length((s.*)::text) - 2)'
      : stripped
        ? 'json_strip_nulls(row_to_json(s.*))::text'
        : 'row_to_json(s.*)::text';
  return `(SELECT ${text} FROM (SELECT ${members}) AS s)`;
}

function valueText(column: string, stripped: boolean): string {
  const json = stripped ? `json_strip_nulls(to_json(${column}))` : `to_json(${column})`;
  return `coalesce(${json}::text, 'null')`;
}
