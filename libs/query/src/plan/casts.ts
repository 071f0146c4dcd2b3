import { problemFor } from '@practice/core';
import type { Table } from './columns.js';

/** The types that a select may cast to: the type in SQL, and the names that callers may use. No other name gets into a statement. */
const named: readonly (readonly [sqlType: string, words: readonly string[]])[] = [
  ['text', ['text', 'varchar', 'character varying']],
  ['character(1)', ['char', 'character']],
  ['bpchar', ['bpchar']],
  ['name', ['name']],
  ['bytea', ['bytea']],
  ['smallint', ['int2', 'smallint']],
  ['integer', ['int', 'int4', 'integer']],
  ['bigint', ['int8', 'bigint']],
  ['oid', ['oid']],
  ['numeric', ['numeric', 'decimal', 'dec']],
  ['money', ['money']],
  ['real', ['real', 'float4']],
  ['double precision', ['float8', 'float', 'double precision']],
  ['boolean', ['bool', 'boolean']],
  ['bit(1)', ['bit']],
  ['bit varying', ['varbit', 'bit varying']],
  ['date', ['date']],
  ['time without time zone', ['time', 'time without time zone']],
  ['time with time zone', ['timetz', 'time with time zone']],
  ['timestamp without time zone', ['timestamp', 'timestamp without time zone']],
  ['timestamp with time zone', ['timestamptz', 'timestamp with time zone']],
  ['interval', ['interval']],
  ['inet', ['inet']],
  ['cidr', ['cidr']],
  ['macaddr', ['macaddr']],
  ['uuid', ['uuid']],
  ['json', ['json']],
  ['jsonb', ['jsonb']],
  ['jsonpath', ['jsonpath']],
  ['xml', ['xml']],
  ['tsvector', ['tsvector']],
  ['tsquery', ['tsquery']],
];

const types = new Map(named.flatMap(([sqlType, words]) => words.map((word) => [word, sqlType] as const)));

/** Types whose values are texts: a cast to one of them starts from the text that callers see. */
const textual = ['text', 'character(1)', 'bpchar', 'name'];

export const isTextual = (type: string): boolean => textual.includes(type);

/** The SQL type that a cast names; null without a cast. Notes 42704 for an unknown type. */
export function planCast({ problems }: Table, name: string | null): string | null {
  if (name === null) return null;
  const type = types.get(name.toLowerCase().replace(/\s+/g, ' '));
  if (type === undefined) problems.note(unknownType(name));
  return type ?? 'text';
}

const unknownType = (name: string) =>
  problemFor('42704', { message: `type "${name.slice(0, 100)}" does not exist` });
