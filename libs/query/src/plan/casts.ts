import { reject } from '@practice/core';

/** The types that a select may cast to: the caller's word → the type in SQL. No other word reaches a statement. */
const types: ReadonlyMap<string, string> = new Map([
  ['text', 'text'],
  ['varchar', 'text'],
  ['character varying', 'text'],
  ['int2', 'smallint'],
  ['smallint', 'smallint'],
  ['int', 'integer'],
  ['int4', 'integer'],
  ['integer', 'integer'],
  ['int8', 'bigint'],
  ['bigint', 'bigint'],
  ['numeric', 'numeric'],
  ['decimal', 'numeric'],
  ['real', 'real'],
  ['float4', 'real'],
  ['float8', 'double precision'],
  ['float', 'double precision'],
  ['double precision', 'double precision'],
  ['bool', 'boolean'],
  ['boolean', 'boolean'],
  ['date', 'date'],
  ['time', 'time without time zone'],
  ['timestamp', 'timestamp without time zone'],
  ['timestamptz', 'timestamp with time zone'],
  ['timestamp with time zone', 'timestamp with time zone'],
  ['interval', 'interval'],
  ['uuid', 'uuid'],
  ['json', 'json'],
  ['jsonb', 'jsonb'],
]);

/**
 * The SQL type that a cast names.
 * @throws {Rejection} 42704
 */
export function planCast(name: string): string {
  return types.get(name.toLowerCase()) ?? unknownType(name);
}

const unknownType = (name: string): never =>
  reject({ status: 400, code: '42704', message: `type "${name.slice(0, 100)}" does not exist` });
