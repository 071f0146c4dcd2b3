// The filter operators of the dialect. One row defines an operator: the parser, the planner, the compiler, the OpenAPI
// document and the property tests read this table, and nothing else lists operators.

import type { OperatorFamily } from '@practice/resource';

/** The keywords after `is.`, and their SQL. The truth values need a boolean column; null fits every kind. */
export const isKeywords = {
  null: { sql: 'NULL', needsBoolean: false },
  not_null: { sql: 'NOT NULL', needsBoolean: false },
  true: { sql: 'TRUE', needsBoolean: true },
  false: { sql: 'FALSE', needsBoolean: true },
  unknown: { sql: 'UNKNOWN', needsBoolean: true },
} as const;

export type IsKeyword = keyof typeof isKeywords;

export type Quantifier = 'any' | 'all';

/** The place of a value among the values of the request; present only in the shape of a request. */
interface Slotted {
  readonly slot?: number;
}

/** The value of a filter, as the caller wrote it. */
export type Operand =
  | ({ readonly kind: 'value'; readonly text: string } & Slotted)
  /** The array literal after `(any)` or `(all)`. */
  | ({ readonly kind: 'quantified'; readonly quantifier: Quantifier; readonly array: string } & Slotted)
  | ({ readonly kind: 'list'; readonly elements: readonly string[] } & Slotted)
  | { readonly kind: 'keyword'; readonly keyword: IsKeyword }
  | { readonly kind: 'search'; readonly config: string | null; readonly text: string };

/** How the text after the operator is read. This determines the kind of operand and the SQL. */
export type OperandGrammar =
  /** The text itself, as a value of the column's type. */
  | 'value'
  /** As `value`; every `*` stands for `%`. */
  | 'pattern'
  /** As `value`, a regular expression. */
  | 'regex'
  /** `(a,b,"c")`. */
  | 'list'
  /** One of `isKeywords`. */
  | 'keyword'
  /** As `value`, words that are compared by their trigrams. */
  | 'similar'
  /** A full-text query, with an optional text search configuration before it. */
  | 'search';

/** A statement under construction, as an operator sees it. */
export interface OperatorScope {
  /** The SQL of the field that is compared, and its type. */
  readonly left: string;
  readonly sqlType: string;
  /** Returns the condition that an index finds the row by the words; undefined for a column without an index. */
  readonly indexed?: ((words: string) => string) | undefined;
  /** Binds a value and returns its parameter. */
  readonly bind: (value: string) => string;
  /** Adds an expression that the statement evaluates even if it reads no row, so that a malformed value always fails. */
  readonly check: (sql: string) => void;
}

export interface Operator {
  readonly name: string;
  /** The family that a column's kind must have. Every kind has `any`; no kind has `range`. */
  readonly family: OperatorFamily | 'any' | 'range';
  /** The operator as Postgres writes it; for full text the function that reads the query. */
  readonly sql: string;
  readonly operand: OperandGrammar;
  /** Whether `(any)` and `(all)` may follow the name. `not.` may precede every operator. */
  readonly quantified: boolean;
  /** The condition as SQL. */
  readonly render: (operand: Operand, scope: OperatorScope) => string;
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
  ['match', 'pattern', '~', 'regex', 'any, all'],
  ['imatch', 'pattern', '~*', 'regex', 'any, all'],
  ['in', 'equality', '=', 'list'],
  ['is', 'any', 'IS', 'keyword'],
  ['isdistinct', 'equality', 'IS DISTINCT FROM', 'value'],
  ['fts', 'fullText', 'to_tsquery', 'search'],
  ['plfts', 'fullText', 'plainto_tsquery', 'search'],
  ['phfts', 'fullText', 'phraseto_tsquery', 'search'],
  ['wfts', 'fullText', 'websearch_to_tsquery', 'search'],
  ['sim', 'pattern', '%>', 'similar'],
  ['cs', 'containment', '@>', 'value'],
  ['cd', 'containment', '<@', 'value'],
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
    {
      name,
      family,
      sql,
      operand,
      quantified: quantified !== undefined,
      render: (given, scope) =>
        operand === 'similar' ? similar(given, scope) : rendered({ sql, operand }, given, scope),
    },
  ]),
);

/** Whether values of a type or kind have the operator. */
export const hasOperator = ({ families }: { families: readonly string[] }, { family }: Operator): boolean =>
  family === 'any' || families.includes(family);

/** The condition that the text has trigrams of the words. It uses the index of the column, if there is one. */
function similar(operand: Operand, { left, bind, indexed }: OperatorScope): string {
  const words = bind('text' in operand ? operand.text : '');
  return indexed?.(words) ?? `search_like(${words}, ${left})`;
}

function rendered(
  { sql, operand: grammar }: Pick<Operator, 'sql' | 'operand'>,
  operand: Operand,
  { left, sqlType, bind, check }: OperatorScope,
): string {
  const isRegex = grammar === 'regex';
  switch (operand.kind) {
    case 'value': {
      const value = bind(operand.text);
      if (isRegex) check(`'' ${sql} ${value}`);
      return `${left} ${sql} ${value}`;
    }
    case 'quantified': {
      const array = `${bind(operand.array)}::${sqlType}[]`;
      if (isRegex) check(`(SELECT count('' ${sql} pattern) FROM unnest(${array}) AS pattern)`);
      return `${left} ${sql} ${operand.quantifier.toUpperCase()} (${array})`;
    }
    case 'list':
      return `${left} ${sql} ANY (${bind(arrayLiteral(operand.elements))}::${sqlType}[])`;
    case 'keyword':
      return `${left} ${sql} ${isKeywords[operand.keyword].sql}`;
    case 'search': {
      const config = operand.config === null ? '' : `${bind(operand.config)}::regconfig, `;
      const query = `${sql}(${config}${bind(operand.text)})`;
      check(query);
      return `to_tsvector(${config}${left}) @@ ${query}`;
    }
  }
}

/** A Postgres array literal of texts: one parameter for any number of elements. */
export const arrayLiteral = (elements: readonly string[]): string =>
  `{${elements.map((element) => `"${element.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`).join(',')}}`;
