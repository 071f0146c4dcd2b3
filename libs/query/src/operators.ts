// The dialect's filter operators: one row each, and nothing else in this package names an operator.
// A row says how its value is read (`operand`), which kinds of column have it (`family`) and what it is in SQL.

import type { OperatorFamily } from '@practice/resource';

/** How the text behind the operator is read, and so how it becomes SQL. */
export type OperandGrammar =
  /** The text itself, as a value of the column's type. */
  | 'value'
  /** As `value`; every `*` stands for `%`. */
  | 'pattern'
  /** `(a,b,"c")`. */
  | 'list'
  /** One of the words behind SQL's `IS`. */
  | 'keyword'
  /** A full-text query, with an optional text-search configuration before it. */
  | 'search';

export interface Operator {
  readonly name: string;
  /** The family a column's kind must have; `any` kind has it; no kind here has arrays and ranges. */
  readonly family: OperatorFamily | 'any' | 'array' | 'range';
  /** The operator between column and value; for full text the function that reads the query. */
  readonly sql: string;
  readonly operand: OperandGrammar;
  /** Whether `(any)` and `(all)` may follow the name; the value is then an array literal. `not.` may precede every operator. */
  readonly quantified: boolean;
}

type Row = readonly [
  name: string,
  family: Operator['family'],
  sql: string,
  operand: OperandGrammar,
  quantified?: 'any, all',
];

const rows: readonly Row[] = [
  ['eq', 'equality', '=', 'value', 'any, all'],
  ['neq', 'equality', '<>', 'value'],
  ['gt', 'order', '>', 'value', 'any, all'],
  ['gte', 'order', '>=', 'value', 'any, all'],
  ['lt', 'order', '<', 'value', 'any, all'],
  ['lte', 'order', '<=', 'value', 'any, all'],
  ['like', 'pattern', '~~', 'pattern', 'any, all'],
  ['ilike', 'pattern', '~~*', 'pattern', 'any, all'],
  ['match', 'pattern', '~', 'value', 'any, all'],
  ['imatch', 'pattern', '~*', 'value', 'any, all'],
  ['in', 'equality', '=', 'list'],
  ['is', 'any', 'IS', 'keyword'],
  ['isdistinct', 'equality', 'IS DISTINCT FROM', 'value'],
  ['fts', 'fullText', 'to_tsquery', 'search'],
  ['plfts', 'fullText', 'plainto_tsquery', 'search'],
  ['phfts', 'fullText', 'phraseto_tsquery', 'search'],
  ['wfts', 'fullText', 'websearch_to_tsquery', 'search'],
  ['cs', 'json', '@>', 'value'],
  ['cd', 'json', '<@', 'value'],
  ['ov', 'array', '&&', 'value'],
  ['sl', 'range', '<<', 'value'],
  ['sr', 'range', '>>', 'value'],
  ['nxr', 'range', '&<', 'value'],
  ['nxl', 'range', '&>', 'value'],
  ['adj', 'range', '-|-', 'value'],
];

/** Every operator by its name. */
export const operators: ReadonlyMap<string, Operator> = new Map(
  rows.map(([name, family, sql, operand, quantified]) => [
    name,
    { name, family, sql, operand, quantified: quantified !== undefined },
  ]),
);

/** What may follow `is.`, and its SQL. The truth values need a boolean column; null fits every kind. */
export const isKeywords: ReadonlyMap<string, { readonly sql: string; readonly needsBoolean: boolean }> =
  new Map([
    ['null', { sql: 'NULL', needsBoolean: false }],
    ['not_null', { sql: 'NOT NULL', needsBoolean: false }],
    ['true', { sql: 'TRUE', needsBoolean: true }],
    ['false', { sql: 'FALSE', needsBoolean: true }],
    ['unknown', { sql: 'UNKNOWN', needsBoolean: true }],
  ]);
