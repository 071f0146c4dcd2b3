// Rows in pieces: the texts that are merged with rows of other services.

import { piecesOf, type Format, type Piece } from '../plan/pieces.js';
import type { PlannedSelect } from '../plan/read-plan.js';
import { columnSql } from './field.js';
import { itemSql } from './select.js';
import { quoted, type Scope } from './scope.js';

/** The shape of rows in pieces: the text of a run of members, the key of the related records for a remote member. */
export function subplanShape(select: PlannedSelect, format: Format, scope: Scope): Shape {
  const { list, texts, beside } = columnsOf(select, format, scope);
  return { list, body: rowsSql(texts), beside };
}

/**
 * The columns of the rows `r`, and the text of each piece. The members of a run are a LATERAL row after `r`, because Postgres would
 * run a subquery in the select list for each row.
 */
export function columnsOf(
  select: PlannedSelect,
  format: Format,
  scope: Scope,
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

/** The rows `r` as a JSON array of arrays of texts. */
export const rowsSql = (texts: readonly string[]): string =>
  `'[' || coalesce(string_agg(to_json(ARRAY[${texts.join(', ')}]::text[])::text, ','), '') || ']'`;

/** The SQL that selects rows and makes a body of them. */
export interface Shape {
  /** The select list of the inner query, whose rows are called `r`. */
  readonly list: string;
  /** The body, as an aggregate over the rows `r`. */
  readonly body: string;
  /** The rest of FROM after the rows `r`: the members of runs, one row for each row. */
  readonly beside?: string;
}
