// Merges rows in pieces into one response. Every piece is text that Postgres wrote, and stays unchanged.

import { csvField, csvHeader } from '../compile/body.js';
import type { Composition, PieceStep, RowsStep } from './composition.js';

/** A row as a service returns it: a text for each piece. */
export type PieceRow = readonly (string | null)[];

/** A merged row: the members of an object, the fields of a line, or the value of each member, depending on its format. */
export type MergedRow = readonly string[];

/** The related rows of a piece, by the key that they belong to; `''` for rows that refer to nothing. */
export type Related = ReadonlyMap<PieceStep, ReadonlyMap<string, readonly MergedRow[]>>;

/** A row with its missing pieces. It is made for each row of a composed read, and `flatMap` takes twice as long. */
export function mergeRow(step: RowsStep, row: PieceRow, related: Related): MergedRow {
  const merged: string[] = [];
  step.pieces.forEach((piece, index) => {
    const text = row[index] ?? null;
    if (piece.kind === 'run') return merged.push(...runTexts(step, text));
    const found = related.get(piece)?.get(text ?? '') ?? [];
    return merged.push(...(piece.kind === 'embed' ? embedTexts : spreadTexts)(step, piece, found));
  });
  return merged;
}

/** The body of a response with these rows. */
export function mergeBody({ shape, members }: Composition, rows: readonly MergedRow[]): string {
  if (shape === 'csv') return rows.length === 0 ? '\n' : [csvHeader(members), ...rows.map(lineOf)].join('\n');
  const objects = rows.map(objectOf).join(',');
  return shape === 'object' ? objects : `[${objects}]`;
}

type Outer = Exclude<PieceStep, { kind: 'run' }>;

/** The members of an object without its braces. */
function runTexts({ format }: RowsStep, text: string | null): readonly string[] {
  if (format.kind !== 'members') return [text ?? ''];
  const members = (text ?? '{}').slice(1, -1);
  return members === '' ? [] : [members];
}

function embedTexts(
  { format }: RowsStep,
  { keys, isToOne }: Outer,
  rows: readonly MergedRow[],
): readonly string[] {
  const [first] = rows;
  const json = isToOne ? (first === undefined ? null : objectOf(first)) : `[${rows.map(objectOf).join(',')}]`;
  return valueTexts(format, keys[0] ?? '', json);
}

function spreadTexts(
  { format }: RowsStep,
  { keys, isToOne }: Outer,
  rows: readonly MergedRow[],
): readonly string[] {
  if (isToOne) return rows[0] ?? keys.flatMap((key) => valueTexts(format, key, null));
  const separator = format.stripped ? ',' : ', ';
  return keys.flatMap((key, index) =>
    valueTexts(format, key, `[${rows.map((row) => row[index] ?? 'null').join(separator)}]`),
  );
}

/** One member whose value is JSON, or null. */
function valueTexts(
  { kind, stripped }: RowsStep['format'],
  key: string,
  json: string | null,
): readonly string[] {
  switch (kind) {
    case 'members':
      return json === null && stripped ? [] : [`${JSON.stringify(key)}:${json ?? 'null'}`];
    case 'csv':
      return [json === null ? '' : csvField(json)];
    case 'values':
      return [json ?? 'null'];
  }
}

const objectOf = (members: MergedRow): string => `{${members.join(',')}}`;
const lineOf = (fields: MergedRow): string => fields.join(',');
