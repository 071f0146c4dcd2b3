import { problemFor } from '@practice/core';
import type { Table } from './columns.js';

/** The types that a select may cast to: the caller's word → the type in SQL. No other word becomes part of a statement. */
const types: ReadonlyMap<string, string> = new Map([
  ['text', 'text'],
  ['varchar', 'text'],
  ['character varying', 'text'],
  ['char', 'character(1)'],
  ['character', 'character(1)'],
  ['bpchar', 'bpchar'],
  ['name', 'name'],
  ['bytea', 'bytea'],
  ['int2', 'smallint'],
  ['smallint', 'smallint'],
  ['int', 'integer'],
  ['int4', 'integer'],
  ['integer', 'integer'],
  ['int8', 'bigint'],
  ['bigint', 'bigint'],
  ['oid', 'oid'],
  ['numeric', 'numeric'],
  ['decimal', 'numeric'],
  ['dec', 'numeric'],
  ['money', 'money'],
  ['real', 'real'],
  ['float4', 'real'],
  ['float8', 'double precision'],
  ['float', 'double precision'],
  ['double precision', 'double precision'],
  ['bool', 'boolean'],
  ['boolean', 'boolean'],
  ['bit', 'bit(1)'],
  ['varbit', 'bit varying'],
  ['bit varying', 'bit varying'],
  ['date', 'date'],
  ['time', 'time without time zone'],
  ['time without time zone', 'time without time zone'],
  ['timetz', 'time with time zone'],
  ['time with time zone', 'time with time zone'],
  ['timestamp', 'timestamp without time zone'],
  ['timestamp without time zone', 'timestamp without time zone'],
  ['timestamptz', 'timestamp with time zone'],
  ['timestamp with time zone', 'timestamp with time zone'],
  ['interval', 'interval'],
  ['inet', 'inet'],
  ['cidr', 'cidr'],
  ['macaddr', 'macaddr'],
  ['uuid', 'uuid'],
  ['json', 'json'],
  ['jsonb', 'jsonb'],
  ['jsonpath', 'jsonpath'],
  ['xml', 'xml'],
  ['tsvector', 'tsvector'],
  ['tsquery', 'tsquery'],
]);

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
