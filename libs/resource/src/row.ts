import type { Column } from './column.js';
import type { Columns, Resource } from './resource.js';
import type { Value } from './kind.js';

type ValueOf<C> = C extends Column<infer T, infer Null> ? (Null extends true ? T | null : T) : never;

type ColumnsOf<R> = R extends { readonly columns: infer C } ? C : never;

/** A record of a resource (or other aggregate): every column, each in its kind's canonical form. */
export type RowOf<R> = { readonly [K in keyof ColumnsOf<R>]: ValueOf<ColumnsOf<R>[K]> };

/** A record of whatever resource. */
export type Row = Readonly<Record<string, Value>>;

/** The columns callers see, in the order answers have them. */
export function visibleColumns(resource: Resource): readonly (readonly [string, Column])[] {
  return entries(resource.columns).filter(([, column]) => column.internal !== true);
}

/** The record as the JSON text that reads answer. */
export function rowJson(resource: Resource, row: Row): string {
  const members = visibleColumns(resource).map(([name, column]) => {
    const value = row[name];
    return `"${name}":${value === null || value === undefined ? 'null' : column.kind.toJson(value)}`;
  });
  return `{${members.join(',')}}`;
}

export const entries = (columns: Columns): (readonly [string, Column])[] => Object.entries(columns);
