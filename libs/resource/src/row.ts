import { oncePer } from '@practice/core';
import type { Column, Columns } from './column.js';
import type { Resource } from './resource.js';
import type { Value } from './kind.js';

type ValueOf<C> = C extends Column<infer T, infer Null> ? (Null extends true ? T | null : T) : never;

export type ColumnsOf<D> = D extends { readonly columns: infer C } ? C : never;

/** A record of any resource. */
export type Row = Readonly<Record<string, Value>>;

/** A record of the resource (or other aggregate) `D`: every column, each in its kind's canonical form. */
export type RowOf<D> = string extends keyof ColumnsOf<D>
  ? Row
  : { readonly [K in keyof ColumnsOf<D>]: ValueOf<ColumnsOf<D>[K]> };

/** A row with a value for each of these columns. It is a loop, because each record needs it: `Object.fromEntries` takes ten times as long. */
export function makeRow(names: readonly string[], valueOf: (name: string, index: number) => Value): Row {
  const row: Record<string, Value> = {};
  for (const [index, name] of names.entries()) row[name] = valueOf(name, index);
  return row;
}

/** The members of a row that `isKept` accepts. It is a loop for the same reason. */
export function pickBy(row: Row, isKept: (name: string, value: Value) => boolean): Row {
  const kept: Record<string, Value> = {};
  for (const name of Object.keys(row)) {
    const value = row[name] as Value;
    if (isKept(name, value)) kept[name] = value;
  }
  return kept;
}

/** The columns that callers see, in the order of responses. */
export function visibleColumns(resource: Resource): readonly (readonly [string, Column])[] {
  return entries(resource.columns).filter(([, column]) => column.internal !== true);
}

/** A member of a row's JSON: the name of its column, the text before its value, and the text of a value. */
interface Member {
  readonly name: string;
  readonly key: string;
  readonly toJson: (value: Value) => string;
}

/** The members of a resource's JSON. They are made once for each definition, because every written record needs them. */
const membersOf = oncePer(new WeakMap<Resource, readonly Member[]>(), (resource) =>
  visibleColumns(resource).map(([name, { kind }]) => ({ name, key: `"${name}":`, toJson: kind.toJson })),
);

/** The record as the JSON text of a read. */
export function rowJson(resource: Resource, row: Row): string {
  let text = '';
  for (const { name, key, toJson } of membersOf(resource)) {
    const value = row[name];
    text += `${text === '' ? '{' : ','}${key}${value === null || value === undefined ? 'null' : toJson(value)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

export const entries = (columns: Columns): (readonly [string, Column])[] => Object.entries(columns);
